import torch
import triton
import triton.language as tl


@triton.jit
def scaled_tanh(x, bias, y, a, b, n, F, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + o, mask=m)
    t = tl.extra.cuda.libdevice.tanh(v * b)
    tl.store(y + o, tl.extra.cuda.libdevice.fma(t, t * 0.0 + a, tl.load(bias + o % F, mask=m)), mask=m)


class ScaledTanhNew(torch.nn.Module):
    def __init__(self, features, a=1.7159, b=0.6667):
        super().__init__()
        self.a, self.b = a, b
        self.offset = torch.nn.Parameter(torch.randn(features))

    def forward(self, x):
        y = torch.empty_like(x)
        scaled_tanh[(triton.cdiv(x.numel(), 128),)](
            x, self.offset, y, self.a, self.b, x.numel(), x.shape[-1], BLOCK=128
        )
        return y
