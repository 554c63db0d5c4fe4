"""Calls whose result Python must know now: values (.item()) and shapes that depend on values (nonzero, x[mask]).

What follows from literals alone is computed here (constants.py); the rest is asked of the runner."""
import torch

from . import constants
from .failure import NotRecordable

aten = torch.ops.aten
MAX_LIST = 1024


def scalar(tape, func, args, kwargs):
    (tensor,) = args
    return values(tape, tensor)[0]


def values(tape, tensor):
    """All values of a small tensor, flat."""
    if not torch._C.TensorBase.is_meta.__get__(tensor):
        return tensor.reshape(-1).tolist()
    known, certain = constants.evaluate(tape.program, tensor)
    guess = None if known is None else known.reshape(-1).tolist()
    if certain:
        return guess
    if tensor.numel() > MAX_LIST:
        raise NotRecordable(f"{tensor.numel()} values read back to the host")
    kind = "item" if tensor.numel() == 1 else "list"
    answer = tape.ask(kind, [tensor], guess=guess[0] if guess and kind == "item" else guess)
    answer = [answer] if kind == "item" else answer
    cast = bool if tensor.dtype == torch.bool else float if tensor.dtype.is_floating_point else int
    return [cast(a) for a in answer]


def equal(tape, func, args, kwargs):
    a, b = args
    if a.size() != b.size():
        return False
    known = constants.known(tape.program, a, b)
    return torch.equal(*known) if known else bool(tape.ask("equal", [a, b]))


def _count_nonzero(tape, tensor, name):
    known = constants.known(tape.program, tensor)
    if known:
        return int(torch.count_nonzero(known[0]))
    return int(tape.ask("shape", [tensor], name)[0])


def nonzero(tape, func, args, kwargs):
    (tensor,) = args
    count = _count_nonzero(tape, tensor, "aten::nonzero")
    # torch's own kernel fills a column-major matrix
    result = torch.empty_strided((count, tensor.dim()), (1, max(count, 1)), dtype=torch.int64, device="meta")
    return tape.call(func, args, kwargs, result)


def masked_select(tape, func, args, kwargs):
    tensor, mask = args
    count = _count_nonzero(tape, mask.expand(torch.broadcast_shapes(tensor.shape, mask.shape)), "aten::nonzero")
    result = torch.empty(count, dtype=tensor.dtype, device="meta")
    return tape.call(func, args, kwargs, result)


def with_masks(tape, func, args, kwargs):
    """x[mask]: each boolean index becomes its positions, as torch's kernels do it, so only nonzero needs an answer."""
    indices = []
    for index in args[1]:
        if isinstance(index, torch.Tensor) and index.dtype in (torch.bool, torch.uint8):
            if not torch._C.TensorBase.is_meta.__get__(index):
                index = tape.program.adopt(index)
            positions = nonzero(tape, aten.nonzero.default, (index,), {})
            for dim in range(index.dim()):
                indices.append(tape.call(aten.select.int, (positions, 1, dim), {}))
        else:
            indices.append(index)
    if func is aten._index_put_impl_.default:  # what index_put_ calls, with one more flag
        func, args = aten.index_put_.default, args[:4]
    return tape.call(func, (args[0], indices, *args[2:]), kwargs)


def first_dimension(columns):
    """Operators whose results are as long as the answer says; `columns(n, *args)` gives their shapes and types."""
    def handler(tape, func, args, kwargs):
        name = func._schema.name + ("." + func._schema.overload_name if func._schema.overload_name else "")
        tensors = [a for a in args if isinstance(a, torch.Tensor)]
        known = constants.known(tape.program, *tensors)
        if known:
            feed = iter(known)
            real = func(*[next(feed) if isinstance(a, torch.Tensor) else a for a in args], **kwargs)
            count = (real if isinstance(real, torch.Tensor) else real[0]).size(0)
        else:
            count = int(tape.ask("shape", tensors, name)[0])
        return tape.call(func, args, kwargs, columns(count, *args, **kwargs))
    return handler


def _meta(shape, dtype):
    return torch.empty(shape, dtype=dtype, device="meta")


def _unique(n, x, sorted=True, return_inverse=False, return_counts=False):
    return (_meta(n, x.dtype), _meta(x.shape if return_inverse else 0, torch.int64), _meta(n if return_counts else 0, torch.int64))


def _unique_consecutive(n, x, return_inverse=False, return_counts=False, dim=None):
    shape = n if dim is None else (*x.shape[:dim], n, *x.shape[dim + 1:])
    inverse = x.shape if dim is None else x.size(dim)
    return (_meta(shape, x.dtype), _meta(inverse if return_inverse else 0, torch.int64), _meta(n if return_counts else 0, torch.int64))


def _bincount(n, x, weights=None, minlength=0):
    return _meta(max(n, minlength), torch.int64 if weights is None else torch.float64)


HANDLERS = {
    aten._local_scalar_dense.default: scalar,
    aten.equal.default: equal,
    aten.nonzero.default: nonzero,
    aten.masked_select.default: masked_select,
    aten.index.Tensor: with_masks,
    aten.index_put.default: with_masks,
    aten.index_put_.default: with_masks,
    aten._index_put_impl_.default: with_masks,
    aten._unique2.default: first_dimension(_unique),
    aten.unique_consecutive.default: first_dimension(_unique_consecutive),
    aten.repeat_interleave.Tensor: first_dimension(lambda n, repeats, **_: _meta(n, torch.int64)),
    aten.bincount.default: first_dimension(_bincount),
}
