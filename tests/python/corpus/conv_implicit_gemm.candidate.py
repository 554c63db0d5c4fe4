import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv2d_implicit_gemm(
    x_ptr, w_ptr, b_ptr, y_ptr,
    N, C, H, W, F, OH, OW,
    R: tl.constexpr, S: tl.constexpr, STRIDE: tl.constexpr, PAD: tl.constexpr,
    BLOCK_P: tl.constexpr, BLOCK_F: tl.constexpr, BLOCK_C: tl.constexpr,
):
    # GEMM view: rows are output pixels (n, oh, ow), columns are filters, the reduction runs over (r, s, c).
    p = tl.program_id(0) * BLOCK_P + tl.arange(0, BLOCK_P)
    f = tl.program_id(1) * BLOCK_F + tl.arange(0, BLOCK_F)
    c = tl.arange(0, BLOCK_C)
    total = N * OH * OW
    n = p // (OH * OW)
    rest = p % (OH * OW)
    oh = rest // OW
    ow = rest % OW
    acc = tl.zeros((BLOCK_P, BLOCK_F), dtype=tl.float32)
    for r in range(R):
        for s in range(S):
            ih = oh * STRIDE - PAD + r
            iw = ow * STRIDE - PAD + s
            inside = (p < total) & (ih >= 0) & (ih < H) & (iw >= 0) & (iw < W)
            for c0 in range(0, C, BLOCK_C):
                ch = c0 + c
                x_at = n[:, None] * (C * H * W) + ch[None, :] * (H * W) + (ih * W + iw)[:, None]
                w_at = f[None, :] * (C * R * S) + ch[:, None] * (R * S) + r * S + s
                x = tl.load(x_ptr + x_at, mask=inside[:, None] & (ch[None, :] < C), other=0.0)
                w = tl.load(w_ptr + w_at, mask=(f[None, :] < F) & (ch[:, None] < C), other=0.0)
                acc = tl.dot(x, w, acc)
    acc += tl.load(b_ptr + f, mask=f < F, other=0.0)[None, :]
    y_at = n[:, None] * (F * OH * OW) + f[None, :] * (OH * OW) + rest[:, None]
    tl.store(y_ptr + y_at, acc, mask=(p[:, None] < total) & (f[None, :] < F))


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding):
        super().__init__()
        # Kept as a Conv2d so that the parameters are drawn exactly as in the original.
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding)
        self.stride, self.padding = stride, padding

    def forward(self, x):
        w = self.conv.weight
        N, C, H, W = x.shape
        F, _, R, S = w.shape
        OH = (H + 2 * self.padding - R) // self.stride + 1
        OW = (W + 2 * self.padding - S) // self.stride + 1
        y = torch.empty(N, F, OH, OW, device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(N * OH * OW, 64), triton.cdiv(F, 32))
        conv2d_implicit_gemm[grid](
            x, w, self.conv.bias, y, N, C, H, W, F, OH, OW,
            R=R, S=S, STRIDE=self.stride, PAD=self.padding, BLOCK_P=64, BLOCK_F=32, BLOCK_C=16,
        )
        return y
