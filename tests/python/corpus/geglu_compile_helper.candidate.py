import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def geglu_kernel(z_ptr, y_ptr, H, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    row = i // H
    col = i % H
    a = tl.load(z_ptr + row * 2 * H + col, mask=m)
    b = tl.load(z_ptr + row * 2 * H + H + col, mask=m)
    u = 0.7978845608028654 * (b + 0.044715 * b * b * b)
    g = b * tl.sigmoid(2.0 * u)  # 0.5 * (1 + tanh(u)) == sigmoid(2u)
    tl.store(y_ptr + i, a * g, mask=m)


@torch.compile(dynamic=False)
def flatten_leading(x):
    # Only shapes here; compiled when the compiler is available, plain otherwise.
    return x.reshape(-1, x.shape[-1])


class ModelNew(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.up = nn.Linear(dim, 2 * hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        z = flatten_leading(self.up(x))
        hidden = z.shape[1] // 2
        y = torch.empty(z.shape[0], hidden, device=z.device, dtype=z.dtype)
        geglu_kernel[(triton.cdiv(y.numel(), 1024),)](z, y, hidden, y.numel(), BLOCK=1024)
        return self.down(y).view(x.shape)
