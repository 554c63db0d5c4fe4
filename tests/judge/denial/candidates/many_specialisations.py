"""Four hundred compilations of one kernel."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def padded_kernel(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0)) + 0.0 * N
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        for n in range(400):
            padded_kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), N=n)
        return out
