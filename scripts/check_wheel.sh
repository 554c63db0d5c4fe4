#!/usr/bin/env bash
# `pip install .` in a clean environment, and what a user does then: the command line, a verdict, the reward of a trainer, and a live module optimised.
# Downloads torch; builds all programs, unless a build for the same torch is named.
#   scripts/check_wheel.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
eval "$(grep -E '^(torch|triton|pyarrow)_version=' scripts/setup.sh)"

unset TRITONRL_PYTHON VIRTUAL_ENV PYTHONPATH
export TRITONRL_CACHE=$folder/cache
python3 -m venv "$folder/clean"
python=$folder/clean/bin/python
"$python" -m pip install -q "torch==$torch_version" "triton==$triton_version" "pyarrow==$pyarrow_version" numpy
# shellcheck disable=SC2086
"$python" -m pip install -q . ${1:+--config-settings build-dir="$1"}
cd "$folder"

"$folder/clean/bin/tritonrl" --version
"$python" -m tritonrl doctor
code=0
"$python" -m tritonrl verify "$root/examples/kernels/softmax.py" --task "$root/examples/tasks/softmax.py" --no-such-option 2> /dev/null || code=$?
[ $code -eq 2 ] || fail "the exit code of a bad option is $code"
"$folder/clean/bin/tritonrl" verify "$folder/clean/share/tritonrl/examples/kernels/softmax.py" --task "$root/examples/tasks/softmax.py"

cat > block.py <<'PYTHON'
import torch


class ScaledNorm(torch.nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.width, self.eps = width, eps
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight
PYTHON
"$python" - "$root" <<'PYTHON'
import pathlib, sys
import torch, tritonrl
from block import ScaledNorm
from tritonrl_reward import Judge

root = pathlib.Path(sys.argv[1], "examples")
with Judge() as judge:
    reward, = judge.reward(completions=["```python\n" + (root / "kernels/softmax.py").read_text() + "```"], task=str(root / "tasks/softmax.py"), timeout=300)
print("reward", reward)
assert reward > 0.7, reward

block = ScaledNorm(1024, eps=1e-5)
torch.nn.init.normal_(block.weight)
faster = tritonrl.optimize(block, [torch.randn(4096, 1024)], options=("--no-model", "--search", "0"))
print(faster)
assert faster.speed_up > 1 and "@triton.jit" in faster.source and faster.proof["winner"]["verdict"]["kind"] == "passed"
assert torch.equal(faster.module.weight.cpu(), block.weight)
if torch.cuda.is_available():
    x = torch.randn(4096, 1024, device="cuda")
    torch.testing.assert_close(faster.cuda()(x), block.cuda()(x))
else:
    try:
        faster(torch.randn(4096, 1024))
    except tritonrl.NeedsGpu as error:
        print(error)
    else:
        raise SystemExit("a kernel ran without a GPU")
PYTHON
echo "the wheel works in a clean environment"
