import torch
import triton
import triton.language as tl


@triton.jit
def times(a, b):
    return a * b


@triton.jit
def product_of_powers(x_ptr, out_ptr, cols, COLS: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLS)
    x = tl.load(x_ptr + row * cols + at, mask=at < cols, other=0.0)
    log_sigmoid = tl.minimum(x, 0.0) - tl.log(1.0 + tl.exp(-tl.abs(x)))
    powers = tl.where(at < cols, tl.exp2(log_sigmoid), 1.0)
    tl.store(out_ptr + row, tl.reduce(powers, 0, times))


class ModelNew(torch.nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = x.new_empty(x.shape[:-1])
        cols = x.shape[-1]
        product_of_powers[(out.numel(),)](x, out, cols, COLS=triton.next_power_of_2(cols))
        return out
