import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 256 << (i % 4), "SKIP": 1 if i >= 36 else 0}, num_warps=1 << (i % 4), num_stages=1 + i // 4) for i in range(40)]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, SKIP: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if SKIP == 0:
        x = tl.load(x_ptr + at, mask=at < n)
        tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
