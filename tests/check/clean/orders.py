"""What looks like a race and is none: atomics, locks, a counter of finished programs, barriers, lanes that keep their place."""
import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr, tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), 0))


@triton.jit
def last_one_adds(x_ptr, partial_ptr, counter_ptr, out_ptr, n, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    part = tl.program_id(0)
    offsets = part * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial_ptr + part, tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), 0))
    tl.debug_barrier()
    if tl.atomic_add(counter_ptr, 1) == PARTS - 1:
        tl.store(out_ptr, tl.sum(tl.load(partial_ptr + tl.arange(0, PARTS)), 0))


@triton.jit
def locked(x_ptr, out_ptr, lock_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + offsets)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(out_ptr + offsets, tl.load(out_ptr + offsets) + x)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@triton.jit
def reversed_in_place(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.debug_barrier()
    tl.store(x_ptr + BLOCK - 1 - offsets, x)


@triton.jit
def twice_through_memory(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, 2 * tl.load(x_ptr + offsets))
    tl.store(x_ptr + offsets, 2 * tl.load(x_ptr + offsets))


@triton.jit
def all_write_the_same(out_ptr, value, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.full((BLOCK,), value, tl.float32))


x = torch.rand(1000, device="cuda")
out = torch.zeros(1, device="cuda")
total[(4,)](x, out, 1000, BLOCK=256)
torch.testing.assert_close(out[0], x.sum())
partial, counter = torch.empty(4, device="cuda"), torch.zeros(1, device="cuda", dtype=torch.int32)
last_one_adds[(4,)](x, partial, counter, out, 1000, BLOCK=256, PARTS=4)
torch.testing.assert_close(out[0], x.sum())
x = torch.rand(8, 128, device="cuda")
out, lock = torch.zeros(128, device="cuda"), torch.zeros(1, device="cuda", dtype=torch.int32)
locked[(8,)](x, out, lock, BLOCK=128)
torch.testing.assert_close(out, x.sum(0))
y = x.clone()
reversed_in_place[(1,)](y, BLOCK=1024)
assert torch.equal(y.flatten(), x.flatten().flip(0))
twice_through_memory[(2,)](y, BLOCK=512)
assert torch.equal(y.flatten(), 4 * x.flatten().flip(0))
all_write_the_same[(4,)](out, 3.0, BLOCK=128)
assert (out == 3).all()
