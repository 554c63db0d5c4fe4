import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swish_forward(x_ptr, beta_ptr, y_ptr, C, HW, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    x = tl.load(x_ptr + o, mask=m, other=0.0)
    beta = tl.load(beta_ptr + (o // HW) % C, mask=m, other=0.0)
    tl.store(y_ptr + o, x * tl.sigmoid(beta * x), mask=m)


@triton.jit
def swish_backward(g_ptr, x_ptr, beta_ptr, dx_ptr, db_ptr, C, HW, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    g = tl.load(g_ptr + o, mask=m, other=0.0)
    x = tl.load(x_ptr + o, mask=m, other=0.0)
    ch = (o // HW) % C
    beta = tl.load(beta_ptr + ch, mask=m, other=0.0)
    s = tl.sigmoid(beta * x)
    ds = s * (1.0 - s)
    tl.store(dx_ptr + o, g * (s + x * beta * ds), mask=m)
    tl.atomic_add(db_ptr + ch, g * x * x * ds, mask=m)


class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        x = x.contiguous()
        ctx.save_for_backward(x, beta)
        y = torch.empty_like(x)
        n = x.numel()
        C = x.shape[1]
        ctx.hw = n // (x.shape[0] * C)
        swish_forward[(triton.cdiv(n, 256),)](x, beta, y, C, ctx.hw, n, BLOCK=256)
        return y

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        grad = grad.contiguous()
        dx, db = torch.empty_like(x), torch.zeros_like(beta)
        n = x.numel()
        swish_backward[(triton.cdiv(n, 256),)](grad, x, beta, dx, db, x.shape[1], ctx.hw, n, BLOCK=256)
        return dx, db


class SwishNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.beta = nn.Parameter(torch.ones(channels))

    def forward(self, x):
        return SwishFunction.apply(x, self.beta)
