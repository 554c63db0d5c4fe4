"""Layer normalisation with one program per token.

Mean, variance and result need the row three times; it is read from memory once and kept in registers.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, hidden, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < hidden
    x = tl.load(x_ptr + row * hidden + columns, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / hidden
    # Masked lanes must not count in the variance, so they are put back to zero after the subtraction.
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / hidden
    normalised = centred * tl.rsqrt(variance + eps)
    weight = tl.load(weight_ptr + columns, mask=mask)
    bias = tl.load(bias_ptr + columns, mask=mask)
    tl.store(out_ptr + row * hidden + columns, normalised * weight + bias, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        # The module is kept for its parameters (weight, bias) and its eps; its forward is not called.
        self.norm = nn.LayerNorm(hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        hidden = x.shape[-1]
        rows = x.numel() // hidden
        out = torch.empty_like(x)
        layernorm_kernel[(rows,)](
            x, self.norm.weight, self.norm.bias, out, hidden, self.norm.eps,
            BLOCK=triton.next_power_of_2(hidden), num_warps=8,
        )
        return out
