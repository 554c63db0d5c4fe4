"""RMS norm over channels: a program takes neighbouring positions and walks their channels twice."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, out_ptr, channels, size, tiles, eps, BLOCK: tl.constexpr):
    image = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    mask = position < size
    base = image * channels * size + position
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for channel in range(0, channels):
        x = tl.load(x_ptr + base + channel * size, mask=mask, other=0.0).to(tl.float32)
        squares += x * x
    rms = tl.sqrt(squares / channels + eps)
    for channel in range(0, channels):
        offsets = base + channel * size
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + offsets, x / rms, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5):
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        batch, channels = x.shape[:2]
        size = x[0, 0].numel()
        tiles = triton.cdiv(size, 1024)
        rms_norm_kernel[(batch * tiles,)](x, out, channels, size, tiles, self.eps, BLOCK=1024)
        return out
