"""Makes this process look as if it had the target GPU: what torch, torch.cuda and Triton say about devices.

Only looks: no CUDA library is touched, so a recording needs neither a GPU nor a CUDA build of torch."""
import contextlib

import torch
import triton
from torch.utils._python_dispatch import _disable_current_modes

from gpu import looks
from gpu.looks import CUDA, set_target

from . import data_dependent, tape

_Base = torch._C.TensorBase
_META = torch.device("meta")
_CPU = torch.device("cpu")

_MISSING = object()

program = None  # the program being recorded; its storages know where they live
current_tape = None


def _on_target(tensor):
    return program is not None and not tape.inside and program.on_target(tensor)


def _looked_at(tensor):
    """True for a recorded tensor seen by candidate code; torch's own operators see the truth."""
    return program is not None and not tape.inside and _Base.is_meta.__get__(tensor)


def _device(tensor):
    if not _looked_at(tensor):
        return _Base.device.__get__(tensor)
    return CUDA if program.on_target(tensor) else _CPU


def _to(tensor, *args, **kwargs):
    """A move to where the tensor already is must be no move for torch either, so that types, copies and formats follow its rules."""
    if args and isinstance(args[0], torch.Tensor):
        args = (args[0].device, args[0].dtype, *args[1:])
    if "other" in kwargs:
        other = kwargs.pop("other")
        args = (other.device, other.dtype, *args)
    if program is not None and not tape.inside:
        if args and isinstance(args[0], (str, int, torch.device)):
            args = (_destination(tensor, args[0]), *args[1:])
        elif kwargs.get("device") is not None:
            kwargs["device"] = _destination(tensor, kwargs["device"])
    return _Base.to(tensor, *args, **kwargs)


def _destination(tensor, device):
    device = torch.device(device)
    if device.type == "cuda":
        device = CUDA  # with its index: torch would ask CUDA for the current one
    stays = _Base.is_meta.__get__(tensor) and (device.type == "cuda") == program.on_target(tensor)
    return _META if stays else device


def move(module):
    """module.to("cuda") for modules that leave that to torch, without its detours: big ones have thousands of tensors."""
    own = (torch.nn.Module._apply, torch.nn.RNNBase._apply)
    if type(module).to is not torch.nn.Module.to or any(type(m)._apply not in own for m in module.modules()):
        return module.to(CUDA)
    with torch._C._DisableTorchDispatch():  # as inside the tape's own handler
        for part in module.modules():
            for tensors in (part._parameters, part._buffers):
                for name, tensor in tensors.items():
                    if tensor is not None and not program.on_target(tensor):
                        moved = current_tape.call(torch.ops.aten._to_copy.default, (tensor.data,), {"device": CUDA})
                        if tensors is part._parameters:
                            tensor.data = moved
                        else:
                            tensors[name] = moved
    return module


def _numpy(tensor, *, force=False):
    if not _looked_at(tensor):
        return _Base.numpy(tensor, force=force)
    return _values(tensor).numpy()


def _tolist(tensor):
    return _values(tensor).tolist() if _looked_at(tensor) else _Base.tolist(tensor)


def _values(tensor):
    """Values for the host: computed if they follow from literals, else asked for."""
    with _disable_current_modes():
        tape.inside = True
        try:
            flat = data_dependent.values(current_tape, tensor)
            return torch.tensor(flat, dtype=tensor.dtype).reshape(tensor.shape)
        finally:
            tape.inside = False


def _data_ptr(tensor):
    """An address as the runner will give them: storages far apart and aligned."""
    if not _Base.is_meta.__get__(tensor) or program is None:
        return _Base.data_ptr(tensor)
    storage = program.storage(tensor)
    if storage is None or tensor.numel() == 0:
        return 0
    return ((storage.number + 1) << 40) + tensor.storage_offset() * tensor.element_size()


def _deepcopy(tensor, memo):
    if id(tensor) not in memo:
        memo[id(tensor)] = tensor.detach().clone().requires_grad_(tensor.requires_grad)
    return memo[id(tensor)]


def _from_data(build):
    """torch.tensor and its like copy to the device below the dispatcher, so they build on the host and move afterwards."""
    def wrapper(*args, device=None, pin_memory=False, **kwargs):
        if program is None or tape.inside:
            return build(*args, **kwargs, **({} if device is None else {"device": device}))
        if device is None:
            device = looks.default_device()
            if device is None:
                return build(*args, device=_CPU, **kwargs)
        made = build(*args, device=_CPU, **kwargs)
        return made if torch.device(device).type == "cpu" else made.to(device)
    return wrapper


def _new_tensor(tensor, data, *, dtype=None, device=None, requires_grad=False, **_):
    made = torch.tensor(data, dtype=dtype or tensor.dtype, device=device or tensor.device)
    return made.requires_grad_() if requires_grad else made


def _look_tensor():
    for name in ("tensor", "as_tensor", "asarray"):
        setattr(torch, name, _from_data(getattr(torch, name)))
    t = torch.Tensor
    t.device = property(_device)
    t.is_cuda = property(lambda self: _on_target(self))
    t.is_cpu = property(lambda self: not _on_target(self) if _looked_at(self) else _Base.is_cpu.__get__(self))
    t.is_meta = property(lambda self: not _looked_at(self) and _Base.is_meta.__get__(self))
    t.get_device = lambda self: 0 if _on_target(self) else -1
    t.to = _to
    t.cuda = lambda self, device=None, non_blocking=False, memory_format=torch.preserve_format: _to(
        self, CUDA, non_blocking=non_blocking, memory_format=memory_format)
    t.cpu = lambda self, memory_format=torch.preserve_format: _to(self, torch.device("cpu"), memory_format=memory_format)
    t.type_as = lambda self, other: _to(self, device=other.device, dtype=other.dtype)
    t.new_tensor = _new_tensor
    t.data_ptr = _data_ptr
    t.numpy = _numpy
    t.tolist = _tolist
    t.__array__ = lambda self, dtype=None: self.numpy() if dtype is None else self.numpy().astype(dtype)
    t.__deepcopy__ = _deepcopy
    t.pin_memory = lambda self, device=None: self
    t.is_pinned = lambda self, device=None: False
    t.record_stream = lambda self, stream: None


_changes = []  # (object, name, before, now)


def install():
    """What holds for every target; once per process, before any candidate."""
    places = (torch, torch.Tensor, torch.cuda, torch.autocast, torch.backends.cudnn, torch.version, torch._C,
              torch._C._dynamo.guards, triton.testing)
    before = [dict(vars(place)) for place in places]
    _look_tensor()
    looks.look_autocast()
    looks.look_torch_cuda()
    looks.look_triton()
    for place, old in zip(places, before):
        _changes.extend((place, name, old.get(name, _MISSING), now) for name, now in list(vars(place).items())
                        if old.get(name, _MISSING) is not now)


@contextlib.contextmanager
def as_it_was():
    """Without the looks, for a while: nothing is recorded meanwhile."""
    inside, tape.inside = tape.inside, True
    for look, name, old, _ in _changes:
        delattr(look, name) if old is _MISSING else setattr(look, name, old)
    try:
        with _disable_current_modes():
            yield
    finally:
        for look, name, _, now in _changes:
            setattr(look, name, now)
        tape.inside = inside
