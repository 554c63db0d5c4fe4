"""Operators that the candidate itself registered (torch.library.custom_op): their body is recorded in place of the call."""
from torch._library.custom_ops import OPDEFS

from .failure import NotRecordable


def call(tape, func, args, kwargs):
    definition = OPDEFS.get(func._schema.name)
    if definition is None:
        raise NotRecordable(f"operator {func._schema.name} is not one of torch's")
    body = definition._backend_fns.get("cuda") or definition._backend_fns.get(None) or definition._init_fn
    return tape.record_body(body, args, kwargs)
