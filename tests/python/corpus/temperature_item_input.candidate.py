import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled_softmax(x_ptr, y_ptr, inv_t, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=float("-inf")) * inv_t
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + row * n + c, e / tl.sum(e, 0), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, logits, temperature):
        t = float(temperature.item())
        if t <= 0:
            raise ValueError("temperature must be positive")
        rows, n = logits.shape
        out = torch.empty_like(logits)
        scaled_softmax[(rows,)](logits.contiguous(), out, 1.0 / t, n, BLOCK=triton.next_power_of_2(n))
        return out
