"""Matrix product in Triton whose rows are summed on the tile; halving and scaling wait for the last sum."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_parts_kernel(partial_ptr, out_ptr, count, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, count, BLOCK):
        total += tl.load(partial_ptr + row * count + start + lanes, mask=start + lanes < count, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0) * factor)


@triton.jit
def matmul_kernel(
    x_ptr, weight_ptr, out_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = (tl.program_id(0) // tiles_n) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = (tl.program_id(0) % tiles_n) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    x_rows = x_ptr + rows.to(tl.int64)[:, None] * K
    # The weight is stored by output feature, so this reads its transpose.
    weight_columns = weight_ptr + columns.to(tl.int64)[None, :] * K
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + inner
        x = tl.load(x_rows + k[None, :], mask=(rows < M)[:, None] & (k < K)[None, :], other=0.0)
        weight = tl.load(weight_columns + k[:, None], mask=(k < K)[:, None] & (columns < N)[None, :], other=0.0)
        accumulator = tl.dot(x, weight, accumulator, input_precision="ieee")
    # The sum over the columns of this tile; a second kernel adds the tiles of a row.
    part = rows.to(tl.int64) * tiles_n + tl.program_id(0) % tiles_n
    tl.store(out_ptr + part, tl.sum(accumulator, axis=1), mask=rows < M)


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, scaling_factor):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(hidden_size, input_size))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        (M, K), N = x.shape, self.weight.shape[0]
        tiles_n = triton.cdiv(N, 64)
        partial = torch.empty(M, tiles_n, device=x.device, dtype=torch.float32)
        out = torch.empty(M, 1, device=x.device, dtype=x.dtype)
        matmul_kernel[(triton.cdiv(M, 64) * tiles_n,)](
            x, self.weight, partial, M, N, K, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32
        )
        add_parts_kernel[(M,)](partial, out, tiles_n, self.scaling_factor / 2, BLOCK=256)
        return out
