"""What is known of tensors' storages beyond what torch knows: which live on the GPU that is not there, and which bytes nothing has written."""
import torch

from . import machine, places

_storage_of = torch._C.TensorBase.untyped_storage
_offset_of = torch._C.TensorBase.storage_offset
_WORDS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.int64}

_regions = {}  # by the address of the StorageImpl, which stays its own while the weak reference is held


class Region:
    def __init__(self, storage, gpu):
        self.key = storage._cdata
        self.weak = storage._weak_ref()
        self.gpu = gpu
        self.undefined = None  # one byte a byte
        self.made_at = ("", 0)  # of memory that began undefined
        self.launched = None  # the kernel that had it last
        self.number, self.address, self.pointer, self.size = -1, 0, 0, 0  # in the machine, once it was asked for

    def forget(self):
        if self.number >= 0:
            machine.machine.remove(self.number)
            self.number = -1
        torch.UntypedStorage._free_weak_ref(self.weak)


def find(tensor):
    """The tensor's region, or None: memory of the host that is defined."""
    try:
        return _regions.get(_storage_of(tensor)._cdata)
    except (RuntimeError, NotImplementedError):  # sparse and the like have none
        return None


def on_gpu(tensor):
    region = find(tensor)
    return region is not None and region.gpu


def note(tensor, gpu, undefined):
    """A storage that an operator has just made."""
    try:
        storage = _storage_of(tensor)
    except (RuntimeError, NotImplementedError):
        return None
    region = _regions.get(storage._cdata)
    if region is None:
        if not gpu and not undefined:
            return None
        region = _regions[storage._cdata] = Region(storage, gpu)
    region.gpu = gpu
    if undefined and storage.nbytes() > 0:
        region.undefined = torch.ones(storage.nbytes(), dtype=torch.uint8)
        region.made_at = places.running()
    return region


def address(tensor, region):
    """Where kernels see the storage's first byte."""
    storage = _storage_of(tensor)
    if region.number >= 0 and (storage.data_ptr(), storage.nbytes()) != (region.pointer, region.size):  # resized
        machine.machine.remove(region.number)
        region.number = -1
    if region.number < 0:
        region.pointer, region.size = storage.data_ptr(), storage.nbytes()
        region.number, region.address = machine.machine.add(region.pointer, region.size)
    return region.address


def show_undefined():
    """Tells the machine of all memory which bytes are undefined, and forgets storages that are gone."""
    expired = torch.UntypedStorage._expired
    for region in [r for r in _regions.values() if expired(r.weak)]:
        del _regions[region.key]
        region.forget()
    for region in _regions.values():
        if region.number >= 0:
            undefined = region.undefined
            known = undefined is not None and undefined.numel() == region.size
            machine.machine.undefined(region.number, undefined.data_ptr() if known else None)


def undefined_part(tensor, region):
    """The tensor's elements as a view of the bytes that say whether they are undefined."""
    size = tensor.element_size()
    whole = region.undefined[:region.undefined.numel() // size * size].view(_WORDS[size])
    stretch = 2 if size == 16 else 1
    return whole.as_strided(tensor.size(), [s * stretch for s in tensor.stride()], _offset_of(tensor) * stretch)


def settle(region):
    """Drops the books about a storage that is wholly written by now."""
    if region.undefined is not None and not region.undefined.any():
        region.undefined = None
