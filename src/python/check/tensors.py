"""Tensors that say where they would be: all lie in the host's memory."""
import functools

import torch
from gpu.looks import CUDA, default_device
from torch.utils._pytree import tree_leaves

from . import memory, watch

_Base = torch._C.TensorBase
_CPU = torch.device("cpu")


def _device(tensor):
    return CUDA if memory.on_gpu(tensor) else _Base.device.__get__(tensor)


def _to(tensor, *args, **kwargs):
    """A move to where the tensor is already is none; any other is a copy, which knows its place."""
    if args and isinstance(args[0], torch.Tensor):
        args = (args[0].device, args[0].dtype, *args[1:])
    if "other" in kwargs:
        other = kwargs.pop("other")
        args = (other.device, other.dtype, *args)
    if args and (args[0] is None or isinstance(args[0], (str, int, torch.device))):
        device, args = args[0], args[1:]
    else:
        device = kwargs.pop("device", None)
    names = ("dtype", "non_blocking", "copy")
    if args and isinstance(args[0], bool):  # to(device, non_blocking) is not there, to(dtype, ...) has a type first
        names = names[1:]
    kwargs.update(zip(names, args))
    if device is None:
        return _Base.to(tensor, **kwargs) if kwargs else tensor
    device = torch.device(device)
    if device.type == "meta":
        return _Base.to(tensor, device=device, **kwargs)
    gpu = device.type == "cuda"
    if gpu == memory.on_gpu(tensor):
        return _Base.to(tensor, device=_CPU, **kwargs)
    kwargs["copy"] = True
    before, watch.forced = watch.forced, gpu
    try:
        return _Base.to(tensor, device=_CPU, **kwargs)
    finally:
        watch.forced = before


def _data_ptr(tensor):
    region = memory.find(tensor)
    if region is None or not region.gpu:
        return _Base.data_ptr(tensor)
    if tensor.numel() == 0:
        return 0
    return memory.address(tensor, region) + tensor.storage_offset() * tensor.element_size()


def _numpy(tensor, *, force=False):
    if memory.on_gpu(tensor) and not force:
        raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
    return _Base.numpy(tensor, force=force)


def _follows(function):
    """What goes below the dispatcher: the result is where the operand is."""
    @functools.wraps(function)
    def wrapper(tensor, *args, **kwargs):
        made = function(tensor, *args, **kwargs)
        if memory.on_gpu(tensor) and isinstance(made, torch.Tensor):
            memory.note(made, True, False)
        return made
    return wrapper


def _from_data(build):
    """torch.tensor and its like copy to the device below the dispatcher, so they build on the host and move afterwards."""
    def wrapper(*args, device=None, requires_grad=False, pin_memory=False, **kwargs):
        if device is None:
            device = default_device()
        if device is None and args and isinstance(args[0], torch.Tensor):
            device = args[0].device
        made = build(*args, device=_CPU, **kwargs)
        if device is not None:
            made = made.to(device)
        return made.requires_grad_() if requires_grad else made
    return wrapper


def _load(load):
    """torch.load: what is to lie on a GPU is read for the host, and noted."""
    @functools.wraps(load)
    def wrapper(f, map_location=None, **kwargs):
        gpu = isinstance(map_location, (str, int, torch.device)) and torch.device(map_location).type == "cuda"
        made = load(f, map_location=_CPU if gpu else map_location, **kwargs)
        for part in tree_leaves(made) if gpu else ():
            if isinstance(part, torch.nn.Module):
                part.cuda()
            elif isinstance(part, torch.Tensor):
                memory.note(part, True, False)
        return made
    return wrapper


def _new_tensor(tensor, data, *, dtype=None, device=None, requires_grad=False, **_):
    return torch.tensor(data, dtype=dtype or tensor.dtype, device=device or tensor.device, requires_grad=requires_grad)


class _Generator(torch.Generator):
    def __new__(cls, device="cpu"):
        return torch._C.Generator.__new__(cls)


def install():
    for name in ("tensor", "as_tensor", "asarray"):
        setattr(torch, name, _from_data(getattr(torch, name)))
    t = torch.Tensor
    t.device = property(_device)
    t.is_cuda = property(memory.on_gpu)
    t.is_cpu = property(lambda self: not memory.on_gpu(self) and _Base.is_cpu.__get__(self))
    t.get_device = lambda self: 0 if memory.on_gpu(self) else -1
    t.to = _to
    t.cuda = lambda self, device=None, non_blocking=False, memory_format=torch.preserve_format: _to(
        self, CUDA, non_blocking=non_blocking, memory_format=memory_format)
    t.cpu = lambda self, memory_format=torch.preserve_format: _to(self, _CPU, memory_format=memory_format)
    t.type_as = lambda self, other: _to(self, device=other.device, dtype=other.dtype)
    t.new_tensor = _new_tensor
    t.data_ptr, t.numpy = _data_ptr, _numpy
    t.__deepcopy__ = _follows(t.__deepcopy__)
    torch.nn.functional.one_hot = _follows(torch.nn.functional.one_hot)
    torch.load = _load(torch.load)
    t.pin_memory = lambda self, device=None: self
    t.is_pinned = lambda self, device=None: False
    t.record_stream = lambda self, stream: None
    torch.Generator = _Generator
    torch.get_default_device = lambda: default_device() or _CPU
    torch.compile = lambda model=None, **options: model if model is not None else (lambda function: function)
