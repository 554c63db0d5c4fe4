"""So is one with PTX in it; what follows goes on being checked."""
import torch
import triton
import triton.language as tl


@triton.jit
def lanes(out_ptr, BLOCK: tl.constexpr):
    lane = tl.inline_asm_elementwise("mov.u32 $0, %laneid;", "=r", [], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out_ptr + tl.arange(0, BLOCK), lane + tl.zeros((BLOCK,), tl.int32))


out = torch.empty(32, dtype=torch.int32, device="cuda")
lanes[(1,)](out, BLOCK=32)
assert out.tolist() == list(range(33))
