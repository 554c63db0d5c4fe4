import torch
import torch.nn as nn
import triton
import triton.language as tl


def _block(args):
    return triton.next_power_of_2(args["n_cols"])


def _warps(args):
    n = args["n_cols"]
    if n < 2048:
        return 4
    return 8 if n < 4096 else 16


@triton.heuristics({"BLOCK": _block})
@triton.heuristics({"num_warps": _warps})
@triton.jit
def log_softmax_kernel(out_ptr, in_ptr, row_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(in_ptr + row * row_stride + col, mask=col < n_cols, other=-float("inf"))
    shifted = x - tl.max(x, axis=0)
    log_sum = tl.log(tl.sum(tl.exp(shifted), axis=0))
    tl.store(out_ptr + row * row_stride + col, shifted - log_sum, mask=col < n_cols)


class ModelNew(nn.Module):
    def __init__(self, dim: int = 1):
        super(ModelNew, self).__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert self.dim == 1 and x.dim() == 2
        x = x.contiguous()
        y = torch.empty_like(x)
        log_softmax_kernel[(x.shape[0],)](y, x, x.stride(0), x.shape[1])
        return y
