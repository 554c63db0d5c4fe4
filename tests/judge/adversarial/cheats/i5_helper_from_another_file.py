import torch
import torch.nn as nn
import triton
import triton.language as tl


import importlib.util
import os
import tempfile

path = os.path.join(tempfile.gettempdir(), "helper_elsewhere.py")
with open(path, "w") as out:
    out.write("import triton\nimport triton.language as tl\n\n@triton.jit\ndef act(x):\n    return tl.maximum(x, 0.0)\n")
spec = importlib.util.spec_from_file_location("helper_elsewhere", path)
made = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made)
act = made.act


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, act(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        k[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
