"""What scripts ask of a GPU, and expect to be told."""
import torch
import triton
import triton.language as tl

device = triton.runtime.driver.active.get_active_torch_device()
assert torch.cuda.is_available() and torch.cuda.device_count() == 1 and torch.cuda.get_device_capability() == (9, 0)
assert triton.runtime.driver.active.get_current_target().backend == "cuda"
properties = triton.runtime.driver.active.utils.get_device_properties(device.index)
assert properties["multiprocessor_count"] == torch.cuda.get_device_properties(0).multi_processor_count
assert torch.accelerator.is_available() and torch.accelerator.current_accelerator().type == "cuda"

x = torch.ones(4, 4, device="cuda")
assert x.is_cuda and not x.is_cpu and x.device == device and x.get_device() == 0 and str(x.device) == "cuda:0"
assert x.cuda() is x and x.to("cuda") is x and x.to(device, torch.float32) is x
host = x.cpu()
assert host.device.type == "cpu" and not host.is_cuda
host[0, 0] = 5
assert x[0, 0] == 1, "a copy for the host is another tensor"
moved = host.to(device)
assert moved.is_cuda and moved.half().is_cuda and moved.t()[1:].is_cuda and (moved @ moved).is_cuda
assert torch.zeros_like(x).is_cuda and x.new_empty(3).is_cuda and torch.empty(2, device=x.device).is_cuda
assert not torch.zeros(3).is_cuda and not torch.tensor([1.0]).is_cuda and torch.tensor([1.0], device="cuda").is_cuda
assert torch.arange(4, device="cuda").is_cuda and torch.as_tensor([1, 2], device=device).is_cuda
with torch.device("cuda"):
    assert torch.rand(3).is_cuda and torch.tensor(3).is_cuda
generator = torch.Generator(device="cuda").manual_seed(1)
a = torch.randn(8, device="cuda", generator=generator)
b = torch.randn(8, device="cuda", generator=generator.manual_seed(1))
assert torch.equal(a, b)
layer = torch.nn.Linear(4, 2).cuda()
assert layer.weight.is_cuda and next(layer.parameters()).device == device
out = layer(x)
out.sum().backward()
assert out.is_cuda and layer.weight.grad.is_cuda
with torch.autocast("cuda", dtype=torch.bfloat16):
    assert layer(x).dtype == torch.bfloat16
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
end.record()
torch.cuda.synchronize()
start.elapsed_time(end)
with torch.cuda.stream(torch.cuda.Stream()):
    pass
try:
    x.numpy()
except TypeError as error:
    assert "cpu()" in str(error) and x.cpu().numpy().shape == (4, 4)
else:
    raise AssertionError("NumPy cannot read a GPU's memory")
assert torch.compile(layer)(x).shape == (4, 2)


@triton.jit
def fill(out_ptr, value, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.full((BLOCK,), value, tl.float32))


calls = []
start.record()
fill[(1,)](x, 2.0, BLOCK=16)
end.record()
assert 0 < start.elapsed_time(end) < 1, "the modelled time"
milliseconds = triton.testing.do_bench(lambda: calls.append(fill[(1,)](x, 2.0, BLOCK=16)))
assert milliseconds > 0 and len(calls) == 1
triton.testing.assert_close(x, torch.full_like(x, 2))
try:
    fill[(1,)](torch.empty(16), 1.0, BLOCK=16)
except ValueError as error:
    assert "cpu tensor" in str(error)
else:
    raise AssertionError("a tensor of the host was taken")
