"""Operators that the candidate itself registered (torch.library.custom_op): their body is recorded in place of the call."""
from torch._library.custom_ops import OPDEFS

from . import tape as tape_module
from .failure import NotRecordable


def call(tape, func, args, kwargs):
    definition = OPDEFS.get(func._schema.name)
    if definition is None:
        raise NotRecordable(f"operator {func._schema.name} is not one of torch's")
    body = definition._backend_fns.get("cuda") or definition._backend_fns.get(None) or definition._init_fn
    tape_module.inside = False
    try:
        with tape:
            return body(*args, **kwargs)
    finally:
        tape_module.inside = True
