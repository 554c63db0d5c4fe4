"""A kernel in Gluon is told as not checked, and what it did not write is no finding: not here, and not in the assertion."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy(x_ptr, out_ptr):
    gl.store(out_ptr, gl.load(x_ptr))


x = torch.ones(1, device="cuda")
out = torch.empty_like(x)
copy[(1,)](x, out, num_warps=1)
assert out.item() == 1 and out.item() == 2
