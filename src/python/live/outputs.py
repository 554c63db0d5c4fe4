"""Outputs in memory that the parent made: all of them one behind the other, at the offsets that the request tells."""
import math
import mmap
import os

import torch


def tensors_of(v):
    """All tensors of a result, in the order of recorder/program.py's `structure`."""
    if isinstance(v, torch.Tensor):
        return [v]
    if isinstance(v, (list, tuple)):
        return [t for x in v for t in tensors_of(x)]
    if isinstance(v, dict):
        return [t for _, x in sorted(v.items(), key=lambda item: str(item[0])) for t in tensors_of(x)]
    if v is None or isinstance(v, (bool, int, float, complex, str, torch.dtype, torch.device, type, torch.nn.Module)) or callable(v):
        return []
    fields = getattr(v, "__dataclass_fields__", None) or getattr(v, "__dict__", None) or ()
    return [t for name in fields for t in tensors_of(getattr(v, name))]


def difference(tensors, places, whose):
    """What is not as recorded, in words; empty: nothing."""
    if len(tensors) != len(places):
        return f"{whose} {len(tensors)} output tensors, and {len(places)} were recorded"
    for i, (tensor, place) in enumerate(zip(tensors, places)):
        if list(tensor.shape) != place["sizes"]:
            return f"{whose} output {i} of shape {list(tensor.shape)}, and {place['sizes']} was recorded"
    return ""


def other_type(tensors, places):
    for i, (tensor, place) in enumerate(zip(tensors, places)):
        if str(tensor.dtype) != "torch." + place["dtype"]:
            return f"it gives output {i} of type {str(tensor.dtype)[6:]}, and {place['dtype']} was recorded"
    return ""


def views(descriptor, places, writable):
    """Flat tensors over the memory; private copies of its pages where it is only read, since a sealed file has no other."""
    size = os.fstat(descriptor).st_size
    memory = mmap.mmap(descriptor, size, access=mmap.ACCESS_WRITE if writable else mmap.ACCESS_COPY)
    out = []
    for place in places:
        dtype, count = getattr(torch, place["dtype"]), math.prod(place["sizes"])
        out.append(torch.frombuffer(memory, dtype=dtype, count=count, offset=place["offset"]) if count else torch.empty(0, dtype=dtype))
    return out
