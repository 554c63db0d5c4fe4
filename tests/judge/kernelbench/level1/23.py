"""Row softmax with a running maximum, in two passes over a row of any length."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, width, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * width
    lanes = tl.arange(0, BLOCK)
    # One pass keeps the maximum so far and the sum scaled to it; a row is too long to be held.
    maximum = -float("inf")
    total = 0.0
    for start in range(0, width, BLOCK):
        x = tl.load(x_ptr + base + start + lanes, mask=start + lanes < width, other=-float("inf")).to(tl.float32)
        higher = tl.maximum(maximum, tl.max(x, axis=0))
        total = total * tl.exp(maximum - higher) + tl.sum(tl.exp(x - higher), axis=0)
        maximum = higher
    inverse = 1.0 / total
    for start in range(0, width, BLOCK):
        mask = start + lanes < width
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + base + start + lanes, tl.exp(x - maximum) * inverse, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        width = x.shape[-1]
        softmax_kernel[(x.numel() // width,)](x, out, width, BLOCK=4096, num_warps=8)
        return out
