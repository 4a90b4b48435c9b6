"""What functions of numerical packages do: those of SciPy and scikit-learn, among others.

scipy.linalg.expm              pure: each run calls it, if an argument is staged
scipy.stats.norm.rvs           changing: it draws, so each run calls it, in order
opt_einsum.contract            transparent: written with operations that graphs record
model.fit                      not known
"""

import functools
import inspect
import sys
from typing import Any

PURE, TRANSPARENT, CHANGING, NOT_KNOWN = "pure", "transparent", "changing", "not known"

PURE_PACKAGES = ("scipy", "numexpr")
TRANSPARENT_PACKAGES = ("opt_einsum", "array_api_compat")
IMPURE_MODULES = ("scipy.io", "scipy.datasets")

# Parameters of functions that draw random numbers.
STREAMS = ("rng", "random_state", "seed")

# Methods that change their object, or draw from it.
CHANGING_NAMES = (
    "rvs random resample integers step integrate reset fast_forward add_points set_integrator "
    "set_initial_value set_f_params set_jac_params set_solout setdiag resize sort_indices "
    "sum_duplicates eliminate_zeros has_sorted_indices set_yi add_xi __setitem__ __delitem__ "
    "close set_smoothing_factor set_bandwidth random_base2 popitem update setdefault pop "
    "clear"
)
CHANGING_METHODS = frozenset(CHANGING_NAMES.split())

# Modules of scikit-learn whose functions are pure, and methods of its fitted objects that are.
PURE_MODULES = ("sklearn.metrics", "sklearn.preprocessing", "sklearn.utils.extmath")
PURE_NAMES = (
    "predict predict_proba predict_log_proba predict_joint_log_proba decision_function "
    "transform inverse_transform score score_samples kneighbors radius_neighbors apply "
    "decision_path get_feature_names_out get_params mahalanobis error_norm log_likelihood"
)
PURE_METHODS = frozenset(PURE_NAMES.split())

# Methods of models and images that leave the arrays they were given as they are.
KEEPING_NAMES = (
    "fit fit_predict fit_transform fit_regularized resize getpixel crop convert rotate transpose "
    "summary conf_int params_ get_prediction get_influence"
)
KEEPING_METHODS = PURE_METHODS | frozenset(KEEPING_NAMES.split())

# Packages that compile users' functions, which graphs do not follow.
COMPILERS = ("numba",)

# Packages of tables: their functions and methods are pure, apart from these.
TABLE_PACKAGES = ("pandas", "xarray")
CHANGING_TABLES = (
    "insert isetitem plot hist boxplot info load compute persist set_close set_option reset_option "
    "option_context test show_versions sample"
)
CHANGING_OF_TABLES = CHANGING_METHODS | frozenset(CHANGING_TABLES.split())
READING_FILES = ("read_", "to_", "open_", "save_", "ExcelWriter", "HDFStore")
IN_MEMORY = (
    "to_numpy to_list to_frame to_series to_dict to_records to_datetime to_timedelta to_numeric "
    "to_dataframe to_dataset to_dataarray to_array to_pandas to_period to_timestamp to_pydatetime "
    "to_flat_index to_index to_unstacked_dataset to_stacked_array"
)
IN_MEMORY_NAMES = frozenset(IN_MEMORY.split())
PACKAGES_OF_VALUES = (*PURE_PACKAGES, *TABLE_PACKAGES, "sklearn", "builtins", "numpy")

# Classes whose objects are parts of each other.
RELATED = {"pandas": "DataFrame Series Index", "xarray": "DataArray Dataset Variable"}


def related_classes(kind: type) -> list[type]:
    """The classes of the objects that an object of a class may consist of."""
    package = kind.__module__.partition(".")[0]
    module = sys.modules.get(package)
    return [getattr(module, name) for name in RELATED.get(package, "").split()]


def kind_in_package(function: Any) -> str:
    """What a function, class or method of a package does."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        owner = getattr(function, "__self__", None)
        module = type(function if owner is None else owner).__module__
    package = module.partition(".")[0]
    if package in TABLE_PACKAGES:
        return _in_table_package(function)
    if package == "sklearn":
        return _in_learning_package(function, module)
    if package in TRANSPARENT_PACKAGES:
        return TRANSPARENT
    if package not in PURE_PACKAGES or module.startswith(IMPURE_MODULES):
        return NOT_KNOWN
    if getattr(function, "__name__", "") in CHANGING_METHODS:
        return CHANGING
    return CHANGING if _draws(getattr(function, "__func__", function)) else PURE


def is_of_values(kind: type) -> bool:
    """Whether reading an attribute or item of an object, or an operator, changes nothing."""
    return kind.__module__.partition(".")[0] in PACKAGES_OF_VALUES


def _in_table_package(function: Any) -> str:
    name = getattr(function, "__name__", "")
    is_in_memory = name in IN_MEMORY_NAMES or not name.startswith(READING_FILES)
    if name in CHANGING_OF_TABLES or not is_in_memory or name.startswith("_"):
        return NOT_KNOWN
    return PURE


def _in_learning_package(function: Any, module: str) -> str:
    if inspect.isclass(function):
        return NOT_KNOWN
    if getattr(function, "__self__", None) is not None:
        return PURE if function.__name__ in PURE_METHODS else NOT_KNOWN
    return PURE if module.startswith(PURE_MODULES) and not _draws(function) else NOT_KNOWN


@functools.lru_cache(4096)
def _draws(function: Any) -> bool:
    """Whether a function takes a stream of random numbers."""
    if inspect.isclass(function) or getattr(function, "__name__", "__call__") == "__call__":
        return False
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    return any(name in STREAMS for name in names)
