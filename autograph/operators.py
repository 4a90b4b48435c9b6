"""All names that generated code may use, as attributes of `ag__`.

A printed file imports this module under that name; the import also marks the file as converted.
"""

from autograph.backend import UNSET as unset  # noqa: F401
from autograph.constructs.assert_ import holds as holds
from autograph.constructs.boolean import and_ as and_
from autograph.constructs.boolean import and_part as and_part
from autograph.constructs.boolean import and_test as and_test
from autograph.constructs.boolean import not_ as not_
from autograph.constructs.boolean import or_ as or_
from autograph.constructs.boolean import or_part as or_part
from autograph.constructs.boolean import or_test as or_test
from autograph.constructs.compare import compare as compare
from autograph.constructs.compare import compare_test as compare_test
from autograph.constructs.compare import equal as equal
from autograph.constructs.compare import greater as greater
from autograph.constructs.compare import greater_equal as greater_equal
from autograph.constructs.compare import in_ as in_
from autograph.constructs.compare import is_ as is_
from autograph.constructs.compare import is_none as is_none
from autograph.constructs.compare import is_not as is_not
from autograph.constructs.compare import is_not_none as is_not_none
from autograph.constructs.compare import less as less
from autograph.constructs.compare import less_equal as less_equal
from autograph.constructs.compare import not_equal as not_equal
from autograph.constructs.compare import not_in as not_in
from autograph.constructs.comprehension import comprehension as comprehension
from autograph.constructs.comprehension import elements as elements
from autograph.constructs.exchange import exchanged as exchanged
from autograph.constructs.for_ import for_stmt as for_stmt
from autograph.constructs.fstring import percent as percent
from autograph.constructs.fstring import shown as shown
from autograph.constructs.fstring import text as text
from autograph.constructs.handlers import refusals as refusals
from autograph.constructs.if_ import cond_stmt as cond_stmt
from autograph.constructs.if_ import if_stmt as if_stmt
from autograph.constructs.item import indexed as indexed
from autograph.constructs.list_ import new_dict as new_dict
from autograph.constructs.list_ import new_list as new_list
from autograph.constructs.list_ import new_set as new_set
from autograph.constructs.list_ import with_items as with_items
from autograph.constructs.match_ import choice as choice
from autograph.constructs.match_ import matched as matched
from autograph.constructs.starred import extended as extended
from autograph.constructs.starred import spread as spread
from autograph.constructs.starred import tuple_of as tuple_of
from autograph.constructs.starred import unpacked as unpacked
from autograph.constructs.starred import updated as updated
from autograph.constructs.ternary import if_expr as if_expr
from autograph.constructs.unbound_reads import bound as bound
from autograph.constructs.unbound_reads import bound_free as bound_free
from autograph.constructs.unbound_reads import local as local
from autograph.constructs.while_ import while_stmt as while_stmt
from autograph.constructs.with_ import context as context
from autograph.constructs.yield_ import consumed as consumed
from autograph.constructs.yield_ import delegated as delegated
from autograph.functions.calls import call as call
from autograph.functions.calls import converted_call as converted_call
from autograph.functions.calls import starred_call as starred_call
