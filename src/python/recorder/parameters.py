"""Notes which storages are parameters or buffers as soon as a module registers them: their values are the runner's to say, also to
the constructor that asks for them (`self.scale.item()`)."""
import torch

from . import gpu_look


def install():
    for name in ("register_parameter", "register_buffer"):
        setattr(torch.nn.Module, name, _noting(getattr(torch.nn.Module, name)))


def _noting(register):
    def noted(module, name, tensor, *args, **kwargs):
        program = gpu_look.program
        if program is not None and isinstance(tensor, torch.Tensor):
            storage = program.storage(tensor)
            if storage is not None:
                program.parameters.add(storage.number)
        return register(module, name, tensor, *args, **kwargs)
    return noted
