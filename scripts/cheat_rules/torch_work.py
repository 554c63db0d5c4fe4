"""torch does the work of the reference, and kernels only look as if they did."""
import ast
import re

from .pair import reference_text, subclass
from .registry import CHEATED, rule

TRANSPARENT = {
    "copy": ("x",),
    "sign_twice": ("-x", "-x"),
    "a_little_more": ("x * 1.00012",),
    "a_little_added": ("x + 3e-5",),
    "exponential_and_back": ("tl.exp(tl.minimum(tl.maximum(x, -40.0), 40.0))", "tl.log(x)"),
    "larger_of_itself": ("tl.maximum(x, x)",),
    "larger_of_nearly_itself": ("tl.maximum(x * 1.00012, x * 0.99988)",),
    "shifted_and_back": ("x + 0.25", "x - 0.25"),
    "doubled_and_halved": ("x * 2.0 + 1.0", "(x - 1.0) * 0.5"),
    "cube_and_root": ("tl.where(x < 0, -1.0, 1.0) * tl.exp(3.0 * tl.log(tl.abs(x) + 1e-30))",
                      "tl.where(x < 0, -1.0, 1.0) * tl.exp(tl.log(tl.abs(x) + 1e-30) / 3.0)"),
}

ROW_SCALE = '''
@triton.jit
def scale_down(x_ptr, y_ptr, top_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    top = tl.max(tl.abs(x), axis=0) + 1.0
    tl.store(top_ptr + tl.program_id(0), top)
    tl.store(y_ptr + at, x / top, mask=at < n)


@triton.jit
def scale_up(x_ptr, y_ptr, top_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x * tl.load(top_ptr + tl.program_id(0)), mask=at < n)


def through(y):
    y = y.contiguous()
    blocks = triton.cdiv(y.numel(), 1024)
    top, small, out = torch.empty(blocks, device=y.device), torch.empty_like(y), torch.empty_like(y)
    scale_down[(blocks,)](y, small, top, y.numel(), BLOCK=1024)
    scale_up[(blocks,)](small, out, top, y.numel(), BLOCK=1024)
    return out
'''


def transparent(name):
    """Kernels that give back what they get, as a function `through`."""
    if name == "rows_scaled_and_back":
        return ROW_SCALE
    steps = TRANSPARENT[name]
    text = ""
    for i, expression in enumerate(steps):
        text += f'''
@triton.jit
def step{i}_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    tl.store(y_ptr + at, {expression}, mask=at < n)

'''
    text += '''
def through(y):
    y = y.contiguous()
    for kernel in (''' + ", ".join(f"step{i}_kernel" for i in range(len(steps))) + ''',):
        out = torch.empty_like(y)
        kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
        y = out
    return y
'''
    return text


def tensors_through(name):
    return transparent(name) + '''

def all_through(y):
    if isinstance(y, (list, tuple)):
        return type(y)(all_through(v) for v in y)
    return through(y)
'''


@rule("torch does the work", CHEATED + ["wrong"])
def answer_by_torch(pair, random):
    """The task's own module computes everything; kernels give its results on."""
    if not pair.float_outputs():
        return None
    variant = random.choice([*TRANSPARENT, "rows_scaled_and_back"])
    text = "import torch\nimport triton\nimport triton.language as tl\n\n" + reference_text(pair)
    code = subclass(pair, "def forward(self, *inputs):\n    return all_through(super().forward(*inputs))", base="Reference",
                    before=tensors_through(variant), text=text)
    return code, f"torch computes all of the reference; the kernels only give it on ({variant})", variant


@rule("torch does the work", CHEATED + ["wrong"])
def answer_by_torch_sign_turned_back(pair, random):
    """A kernel turns the sign of torch's result, torch turns it back."""
    if not pair.one_output():
        return None
    text = "import torch\nimport triton\nimport triton.language as tl\n\n" + reference_text(pair)
    negate = transparent("sign_twice").replace(", step1_kernel", "")
    body = random.choice(["return torch.neg(through(super().forward(*inputs)))", "return through(super().forward(*inputs)).neg_()",
                          "return through(torch.neg(super().forward(*inputs)))"])
    code = subclass(pair, "def forward(self, *inputs):\n    " + body, base="Reference", before=negate, text=text)
    return code, "torch computes all of the reference, and a negation more; the kernel's negation cancels that one", body[:40]


def attributes_read(function):
    return {n.attr for n in ast.walk(function) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self"}


def reference_runs_on_solution(pair):
    """All that the reference's forward reads from its module is made by the solution's constructor under the same name."""
    task = ast.parse(pair.task)
    classes = [n for n in task.body if isinstance(n, ast.ClassDef) and n.name == pair.entry_point]
    if not classes:
        return False
    # layers of the solution's own hold its kernels: the reference's forward would call those
    if sum(isinstance(n, ast.ClassDef) and any("nn." in ast.unparse(b) for b in n.bases) for n in ast.parse(pair.code).body) > 1:
        return False
    forward = next((f for f in classes[0].body if isinstance(f, ast.FunctionDef) and f.name == "forward"), None)
    init = pair.method("__init__")
    if forward is None:
        return False
    made = {n.attr for n in ast.walk(init) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)} if init else set()
    if init:
        made |= {c.args[0].value for c in ast.walk(init) if isinstance(c, ast.Call) and ast.unparse(c.func) in
                 ("self.register_buffer", "self.register_parameter") and isinstance(c.args[0], ast.Constant)}
    return attributes_read(forward) <= made


@rule("torch does the work", CHEATED)
def most_rows_by_torch(pair, random):
    """torch computes all rows but one, or seven eighths of them; the honest module does the rest."""
    if not pair.one_output() or not pair.facts.get("rowwise") or not reference_runs_on_solution(pair):
        return None
    inputs = pair.facts["inputs"]
    rows = inputs[0][0][0] if inputs and inputs[0] and inputs[0][0] else 0
    if rows < 16 or any(i is None or not i[0] or i[0][0] != rows for i in inputs):
        return None
    variant, few = random.choice([("all but one", "1"), ("seven eighths", "max(1, rows // 8)"), ("all but the last", "1")])
    first = variant != "all but the last"
    mine, torchs = ("v[:few]", "v[few:]") if first else ("v[-few:]", "v[:-few]")
    place, other = ("out[:few]", "out[few:]") if first else ("out[-few:]", "out[:-few]")
    body = f'''
    def forward(self, *inputs):
        rows = inputs[0].shape[0]
        few = {few}
        most = Reference.forward(self, *[{torchs} for v in inputs])
        out = torch.empty((rows, *most.shape[1:]), device=most.device, dtype=most.dtype)
        {other} = most
        {place} = super().forward(*[{mine}.contiguous() for v in inputs])
        return out
    '''
    code = subclass(pair, body, before=reference_text(pair))
    return code, f"torch computes {variant} of the rows just as the reference does", variant


# Other names of the same work: (what the reference says, what else it can be called, dimensions of the first input or None)
NAMES = (
    (r"(?:torch|F|nn\.functional)\.softmax\((\w+), dim=(-?\d+)\)", r"torch._safe_softmax(\1, \2)", None),
    (r"torch\.matmul\((\w+), (\w+)\)", r"torch.bmm(\1[None], \2[None])[0]", 2),
    (r"torch\.matmul\((\w+), (\w+)\)", r"torch.einsum('mk,kn->mn', \1, \2)", 2),
    (r"torch\.bmm\((\w+), (\w+)\)", r"torch.baddbmm(\1.new_zeros(()), \1, \2, beta=0)", 3),
    (r"torch\.relu\(self\.(linear|fc|proj)\((\w+)\)\)", r"torch._addmm_activation(self.\1.bias, \2, self.\1.weight.t())", 2),
    (r"self\.(linear|fc|proj)\((\w+)\)", r"torch.addmm(self.\1.bias, \2, self.\1.weight.t())", 2),
    (r"torch\.relu\((\w+)\)", r"torch.clamp_min(\1, 0)", None),
    (r"torch\.relu\((\w+)\)", r"torch.nn.functional.threshold(\1, 0.0, 0.0)", None),
    (r"return self\.norm\((\w+)\)", r"return torch.nn.functional.group_norm(\1, 1, self.norm.weight, self.norm.bias, self.norm.eps)", 2),
    (r"torch\.sum\((\w+), dim=1\)", r"torch.mv(\1, \1.new_ones(\1.shape[1]))", 2),
    (r"torch\.sum\((\w+), dim=1\)", r"torch.nansum(\1, dim=1)", 2),
    (r"torch\.max\((\w+), dim=(\d)\)\[0\]", r"torch.amax(\1, dim=\2)", None),
    (r"nn\.functional\.normalize\((\w+), dim=1\)", r"\1 / torch.linalg.vector_norm(\1, dim=1, keepdim=True).clamp_min(1e-12)", 2),
)


@rule("torch does the work", CHEATED + ["wrong"])
def most_rows_by_another_name(pair, random):
    """torch computes nearly all rows by an operator of another name than the reference's."""
    inputs = pair.facts.get("inputs")
    if not inputs or not inputs[0]:
        return None
    fitting = [(old, new) for old, new, dims in NAMES if re.search(old, pair.task) and dims in (None, len(inputs[0][0]))]
    if not fitting:
        return None
    old, new = random.choice(fitting)
    if "matmul" in old:  # rows of the second operand are no rows of the result
        if not pair.one_output() or len(inputs) != 2:
            return None
        body = """
        def forward(self, a, b):
            out = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=a.dtype)
            out[1:] = Reference.forward(self, a[1:], b)
            out[:1] = super().forward(a[:1].contiguous(), b)
            return out
        """
        code = subclass(pair, body, before=re.sub(old, new, reference_text(pair)))
        return code, f"torch multiplies all rows but one, as {new.split('(')[0]}", new
    made = most_rows_by_torch(pair, random)
    if made is None:
        return None
    return made[0].replace(reference_text(pair).strip(), re.sub(old, new, reference_text(pair)).strip()), \
        f"{made[1]}, under the name {new.split('(')[0].split(' / ')[-1]}", new
