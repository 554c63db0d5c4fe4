import torch
import triton
import triton.language as tl


@triton.jit
def _gelu_scale(X, Y, scale, N, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    keep = i < N
    x = tl.load(X + i, mask=keep, other=0.0).to(tl.float32)
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    # tanh(z) through the logistic function: 2 * sigmoid(2z) - 1
    t = 2.0 * tl.sigmoid(2.0 * inner) - 1.0
    tl.store(Y + i, (0.5 * x * (1.0 + t)) * scale, mask=keep)


class ModelNew(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = float(scale)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_contiguous():
            x = x.contiguous()
        y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        # Launch on the device that owns the data, whatever the current device is.
        with torch.cuda.device(x.device):
            _gelu_scale[(triton.cdiv(x.numel(), 2048),)](x, y, self.scale, x.numel(), BLOCK=2048, num_warps=8)
        with torch.cuda.device(y.get_device()):
            return y.view_as(x)
