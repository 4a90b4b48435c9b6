"""The modules that register functions which converted code calls in place of others."""

from runtime.staging.calls import array_api as array_api
from runtime.staging.calls import array_lists as array_lists
from runtime.staging.calls import attributes as attributes
from runtime.staging.calls import chosen_uses as chosen_uses
from runtime.staging.calls import eigenvalues as eigenvalues
from runtime.staging.calls import extremes as extremes
from runtime.staging.calls import folds as folds
from runtime.staging.calls import generator_functions as generator_functions
from runtime.staging.calls import groups as groups
from runtime.staging.calls import heaps as heaps
from runtime.staging.calls import integers as integers
from runtime.staging.calls import iterables as iterables
from runtime.staging.calls import list_arguments as list_arguments
from runtime.staging.calls import math_calls as math_calls
from runtime.staging.calls import memory_order as memory_order
from runtime.staging.calls import merged_writes as merged_writes
from runtime.staging.calls import numpy_mapped as numpy_mapped
from runtime.staging.calls import python_sources as python_sources
from runtime.staging.calls import sorting as sorting
from runtime.staging.calls import statistics_calls as statistics_calls
from runtime.staging.calls import texts as texts
from runtime.staging.dicts import constructors as constructors
from runtime.staging.dicts import elements as elements
from runtime.staging.lists import list_parts as list_parts
from runtime.staging.lists import trace_deque as trace_deque
