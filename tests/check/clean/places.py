"""Tensors that torch makes below its dispatcher are where they would be."""
import copy
import io

import torch

for function in (lambda t: t.half(), lambda t: t.sum(1), lambda t: t.bfloat16().float() * 2, lambda t: t.expand(2, 4, 8).sum(0)):
    x = torch.randn(4, 8, device="cuda", requires_grad=True)
    function(x).sum().backward()
    assert x.grad.is_cuda
x = torch.nn.functional.one_hot(torch.tensor([1, 2], device="cuda"), 4)
assert x.is_cuda and x.tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]
assert copy.deepcopy(x).is_cuda and not copy.deepcopy(x.cpu()).is_cuda
layer = copy.deepcopy(torch.nn.Linear(3, 3).cuda())
assert layer.weight.is_cuda
narrow = copy.deepcopy(layer).to(torch.bfloat16)  # asks each tensor for to(None, type, False)
assert narrow.weight.is_cuda and narrow.weight.dtype == torch.bfloat16 and narrow.cpu().to("cuda", torch.float16).bias.is_cuda
assert torch.ones(2, device="cuda").to(None, torch.float16, False).is_cuda
file = io.BytesIO()
torch.save(layer.state_dict(), file)
for place in ("cuda", "cpu", torch.device("cuda:0")):
    file.seek(0)
    assert all(t.device.type == torch.device(place).type for t in torch.load(file, map_location=place).values())
optimizer = torch.optim.AdamW(layer.parameters())
layer(torch.rand(2, 3, device="cuda")).square().mean().backward()
optimizer.step()
assert all(t.is_cuda for t in layer.parameters())
