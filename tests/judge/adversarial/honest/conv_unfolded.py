import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product_kernel(w_ptr, x_ptr, first_ptr, second_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    image = tl.program_id(2).to(tl.int64)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        w = tl.load(w_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        x = tl.load(x_ptr + image * K * N + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(w, x, total, input_precision="ieee")
    shift = tl.load(first_ptr + m, mask=m < M, other=0.0) + tl.load(second_ptr + m, mask=m < M, other=0.0)
    y = tl.maximum(total + shift[:, None], 0.0)
    tl.store(y_ptr + image * M * N + m[:, None] * N + n[None, :], y, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, channels_in, channels_out, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel)
        self.bias = nn.Parameter(torch.randn(channels_out, 1, 1))

    def forward(self, x):
        size = self.conv.kernel_size
        windows = nn.functional.unfold(x, size).contiguous()
        batch, K, N = windows.shape
        M = self.conv.weight.shape[0]
        y = torch.empty((batch, M, N), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(M, 32), triton.cdiv(N, 64), batch)
        product_kernel[grid](self.conv.weight, windows, self.conv.bias, self.bias, y, M, N, K, BM=32, BN=64, BK=32)
        return y.view(batch, M, x.shape[2] - size[0] + 1, x.shape[3] - size[1] + 1)
