import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        if not x.is_cuda:
            raise ValueError("a tensor on the GPU is expected")
        with torch.cuda.device(x.device), torch.inference_mode():
            x = x.contiguous()
            y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
            relu_kernel[(triton.cdiv(x.numel(), 2048),)](x, y, x.numel(), BLOCK=2048, num_warps=8)
            torch.cuda.synchronize(x.device)
            torch.cuda.empty_cache()
        return y
