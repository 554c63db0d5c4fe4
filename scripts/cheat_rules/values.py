"""Right for tame inputs, parameters and tolerances only."""
import ast
import re

from .registry import WRONG, rule


@rule("tame inputs", WRONG)
def ends_at_a_secret_value(pair, random):
    """Results beyond a value are cut off, or vanish; the reference's go beyond it for large inputs."""
    if len(pair.kernels()) != 1 or not pair.one_output():
        return None
    kernel = pair.kernels()[0]
    if len(pair.output_stores(kernel)) != 1 or len(pair.calls(kernel, "tl.store")) != 1:
        return None
    largest, grows = pair.facts.get("largest"), pair.facts.get("grows")
    limit = random.choice([200.0, 1000.0, 4000.0])
    if largest is None or grows is None or not largest < limit / 4 or not grows > 2 * limit:
        return None
    value = pair.output_stores(kernel)[0].args[1]
    text = pair.text(value)
    variant = random.choice(["cut", "vanish", "halved"])
    new = {"cut": f"tl.minimum(tl.maximum({text}, -{limit}), {limit})", "vanish": f"tl.where(tl.abs({text}) > {limit}, 0.0, {text})",
           "halved": f"tl.where(tl.abs({text}) > {limit}, ({text}) * 0.5, {text})"}[variant]
    return pair.replaced((value, new)), f"results beyond {limit} are wrong ({variant}); the reference's reach {grows:.3g}", f"{variant} {limit}"


@rule("tame inputs", WRONG)
def maximum_left_out(pair, random):
    """Exponentials without the largest argument taken out: infinite from 89 on."""
    # of an argument of forward: what was bounded before needs no maximum
    task_forward = re.search(r"def forward\(self, (.*?)\)", pair.task)
    names = re.findall(r"(?:softmax|logsumexp)\((\w+)[,)]", pair.task)
    if task_forward is None or not names or names[0] not in [n.split(":")[0].strip() for n in task_forward.group(1).split(",")]:
        return None
    for kernel in pair.kernels():
        if pair.calls(kernel, "tl.load") and not [n for n in ast.walk(kernel) if isinstance(n, (ast.For, ast.While))]:
            tops = {ast.unparse(n.targets[0]) for n in ast.walk(kernel) if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)
                    and ast.unparse(n.value.func) == "tl.max"}
            for call in pair.calls(kernel, "tl.exp"):
                arg = call.args[0]
                if isinstance(arg, ast.BinOp) and isinstance(arg.op, ast.Sub) and (ast.unparse(arg.right) in tops or
                                                                                   ast.unparse(arg.right).startswith("tl.max(")):
                    return pair.replaced((arg, pair.text(arg.left))), "no largest value is taken out: infinite for arguments from 89 on", ""
    return None


@rule("tame inputs", WRONG)
def epsilon_left_out(pair, random):
    """Nothing is added under the root: no numbers for constant rows, where the reference has some."""
    # what comes before the norm need not give constant rows for any input
    if not re.search(r"Norm\(|_norm\(|rsqrt|sqrt", pair.task) or re.search(r"BatchNorm|running_var|GRU|LSTM|Linear|Conv", pair.task + pair.code):
        return None
    found = [n for k in pair.kernels() for n in ast.walk(k) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add)
             and isinstance(n.right, ast.Name) and n.right.id.lower() in ("eps", "epsilon")]
    if not found:
        return None
    node = random.choice(found)
    return pair.replaced((node, f"({pair.text(node.left)})")), "without epsilon constant rows give no numbers", ""


NORMS = re.compile(r"nn\.(Layer|Group|Batch|Instance|RMS)Norm")


@rule("tame inputs", WRONG)
def parameters_left_out(pair, random):
    """A norm's weight or bias is taken for the ones or zeros that it starts as; the bias of a layer for zeros."""
    init, forward = pair.method("__init__"), pair.method("forward")
    if init is None or forward is None:
        return None
    layers = {}
    for node in ast.walk(init):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.targets[0]).startswith("self."):
            layers[ast.unparse(node.targets[0])] = ast.unparse(node.value)
    found = []
    for node in ast.walk(forward):
        if isinstance(node, ast.Attribute) and node.attr in ("weight", "bias") and isinstance(node.ctx, ast.Load):
            made = layers.get(ast.unparse(node.value), "")
            parent_is_data = any(isinstance(p, ast.Attribute) and p.value is node for p in ast.walk(forward))
            if parent_is_data or "affine=False" in made or "bias=False" in made:
                continue
            if NORMS.search(made):
                found.append((node, "ones_like" if node.attr == "weight" else "zeros_like"))
            elif re.search(r"nn\.(Linear|Conv\dd)\(", made) and node.attr == "bias" and "Norm" not in pair.task:  # a norm may take it out
                found.append((node, "zeros_like"))
    found = [(n, f) for n, f in found if f"{pair.text(n)} is" not in pair.code]
    if not found:
        return None
    node, like = random.choice(found)
    text = pair.text(node)
    return pair.replaced((node, f"torch.{like}({text})")), f"{text} is taken for {like.removesuffix('_like')}", text


@rule("precision", WRONG)
def rounded_to_bfloat16(pair, random):
    """What is stored has eight bits."""
    if not pair.one_output() or not pair.facts.get("rounds") or any(i and i[1] in ("float16", "bfloat16") for i in pair.facts.get("inputs") or ()):
        return None
    kernels = [k for k in pair.kernels() if pair.only_store(k)]
    if not kernels:
        return None
    kernel = kernels[-1]
    store = pair.only_store(kernel)[0]
    text = pair.text(store.args[1])
    if "int" in text:
        return None
    return pair.replaced((store.args[1], f"({text}).to(tl.bfloat16).to(tl.float32)")), f"{kernel.name} rounds what it stores to bfloat16", ""


@rule("precision", WRONG)
def products_in_bfloat16(pair, random):
    """Operands of products have eight bits; weights and inputs of both signs do not hide that."""
    if not pair.float_outputs() or not re.search(r"nn\.(Linear|Conv\dd)\(|torch\.randn\(", pair.task):
        return None
    # averages and small results would hide it, and narrow operands have no more bits
    if re.search(r"softmax|mean|Norm|sum\(", pair.task) or re.search(r"int8|float8|fp8|bfloat16|float16|half\(", pair.code):
        return None
    if any(i and i[1] in ("float16", "bfloat16") for i in pair.facts.get("inputs") or ()) or (pair.facts.get("largest") or 0) < 0.3:
        return None
    dots = [c for k in pair.kernels() for c in pair.calls(k, "tl.dot") if pair.kernel_facts(k)]
    if not dots:
        return None
    dot = random.choice(dots)
    a, b = dot.args[:2]
    return pair.replaced((a, f"({pair.text(a)}).to(tl.bfloat16).to(tl.float32)"), (b, f"({pair.text(b)}).to(tl.bfloat16).to(tl.float32)")), \
        "operands of a product are rounded to bfloat16", ""
