import torch
import torch.nn as nn

try:
    import triton
    import triton.language as tl

    HAS_TRITON = True
except ImportError:
    triton = None
    HAS_TRITON = False

USE_KERNEL = HAS_TRITON and torch.cuda.is_available()
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

if HAS_TRITON:

    @triton.jit
    def hinge_kernel(p_ptr, t_ptr, o_ptr, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        m = i < n
        p = tl.load(p_ptr + i, mask=m)
        t = tl.load(t_ptr + i, mask=m)
        tl.store(o_ptr + i, tl.maximum(1.0 - p * t, 0.0), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        if not USE_KERNEL or not predictions.is_cuda:
            # Plain PyTorch on machines without a GPU.
            return torch.clamp(1 - predictions * targets, min=0)
        if predictions.device.type != DEVICE.type:
            predictions, targets = predictions.to(DEVICE), targets.to(DEVICE)
        out = torch.empty_like(predictions)
        n = out.numel()
        hinge_kernel[(triton.cdiv(n, 1024),)](predictions, targets, out, n, BLOCK=1024)
        return out
