"""A module made, fed and called as KernelBench does it, every draw from a seed that the other process has too."""
import os

import torch

from recorder import modules
from recorder.failure import TaskError


class Run:
    def __init__(self, request):
        self.request = request
        self.phase = "start"

    def load_task(self):
        request = self.request
        # exact products for both: else a reference rounded to TF32 would be held against an exact kernel
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        self.device = torch.device(request["device"])
        self.seed = request["seed"]
        self.dtype = getattr(torch, request["precision"]) if request["precision"] else None
        self.file = request["task"]["file"]
        self.phase = "load task"
        self.task = self.load("task", request["task"])
        self.reference = modules.entry_point(self.task, request["entry_point"], self.file)

    @staticmethod
    def load(name, text):
        return modules.load(name, os.path.join(os.getcwd(), text["file"]), text["source"])

    def init_arguments(self):
        self.phase = "get_init_inputs"
        torch.manual_seed(self.seed)
        return self._there(modules.init_arguments(self.task, self.file), None)

    def make(self, made, init_arguments):
        """On the host, then moved: so parameters are the same for all that draw them in the same order."""
        self.phase = "initialise"
        args, kwargs = init_arguments
        torch.manual_seed(self.seed)
        with torch.no_grad():
            module = made(*args, **kwargs)
            return module.to(self.device, self.dtype) if isinstance(module, torch.nn.Module) else module

    def inputs(self):
        """Born on the device: on the host they can take longer than all the rest."""
        self.phase = "get_inputs"
        try:
            torch.manual_seed(self.seed)
            with self.device:
                given = modules.inputs(self.task, self.file)
        except TaskError:
            raise
        except Exception:  # some need the host: numpy, or a generator of their own
            torch.manual_seed(self.seed)
            given = modules.inputs(self.task, self.file)
        return self._there(given, self.dtype)

    def forward(self, module, inputs):
        self.phase = "forward"
        args, kwargs = inputs
        torch.manual_seed(self.seed)
        with torch.no_grad():
            given = module(*args, **kwargs)
        self.wait()
        return given

    def truth(self):
        """The reference's outputs in float64, all made anew: its forward may have changed parameters and inputs."""
        module = self.make(self.reference, self.init_arguments()).double()
        return self.forward(module, self._there(self.inputs(), torch.float64))

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def _there(self, v, dtype):
        if isinstance(v, torch.Tensor):
            return v.to(self.device, dtype) if dtype is not None and v.is_floating_point() else v.to(self.device)
        if isinstance(v, tuple) and hasattr(v, "_fields"):
            return type(v)(*[self._there(x, dtype) for x in v])
        if isinstance(v, (list, tuple)):
            return type(v)(self._there(x, dtype) for x in v)
        if isinstance(v, dict):
            return {k: self._there(x, dtype) for k, x in v.items()}
        return v
