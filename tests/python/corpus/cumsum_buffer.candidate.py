import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def weighted_cumsum(x_ptr, w_ptr, y_ptr, length, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for start in range(0, length, BLOCK):
        c = start + tl.arange(0, BLOCK)
        m = c < length
        v = tl.load(x_ptr + row * length + c, mask=m, other=0.0) * tl.load(w_ptr + c, mask=m, other=0.0)
        tl.store(y_ptr + row * length + c, tl.cumsum(v, axis=0) + carry, mask=m)
        carry += tl.sum(v, axis=0)


class ModelNew(nn.Module):
    weights: torch.Tensor

    def __init__(self, length: int, decay: float):
        super().__init__()
        steps = torch.arange(length, dtype=torch.float32)
        self.register_buffer("weights", decay**steps)
        self.register_buffer("unused_position", torch.zeros(1, dtype=torch.long), persistent=False)

    def forward(self, x):
        y = torch.empty_like(x)
        weighted_cumsum[(x.shape[0],)](x, self.weights, y, x.shape[1], BLOCK=1024, num_warps=4)
        return y
