import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def add_relu_tiles(x_desc, y_desc, o_desc, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM
    c = tl.program_id(1) * BN
    s = x_desc.load([r, c]) + y_desc.load([r, c])
    o_desc.store([r, c], tl.maximum(s, 0.0))


class ModelNew(nn.Module):
    BM, BN = 32, 64

    def __init__(self):
        super().__init__()

    def forward(self, x, y):
        out = torch.empty_like(x)
        block = [self.BM, self.BN]
        x_desc = TensorDescriptor.from_tensor(x, block)
        y_desc = TensorDescriptor.from_tensor(y, block)
        o_desc = TensorDescriptor(out, out.shape, out.stride(), block)
        grid = (triton.cdiv(x.shape[0], self.BM), triton.cdiv(x.shape[1], self.BN))
        add_relu_tiles[grid](x_desc, y_desc, o_desc, BM=self.BM, BN=self.BN)
        return out
