"""Honest candidates with their tasks, and what rules put together from them."""
import ast
import re
import textwrap


class Pair:
    """An honest candidate with its task."""

    def __init__(self, name, task, code, entry_point="Model"):
        self.name, self.task, self.code, self.entry_point = name, task, code, entry_point
        self.tree = ast.parse(code)
        self.facts = {}
        starts = [0]
        for line in code.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._starts = starts
        self._bytes = code.encode()

    # -- text in place, so that the rest looks as its author wrote it

    def _span(self, node):
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node):
        begin, end = self._span(node)
        return self._bytes[begin:end].decode()

    def replaced(self, *changes):
        """The code with (node, text) put in place; nodes do not overlap."""
        out = self._bytes
        for node, text in sorted(changes, key=lambda change: self._span(change[0])[0], reverse=True):
            begin, end = self._span(node)
            out = out[:begin] + text.encode() + out[end:]
        return out.decode()

    # -- what there is

    def kernels(self):
        return [n for n in self.tree.body if isinstance(n, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in n.decorator_list)]

    def kernel_facts(self, kernel):
        return [one for one in self.facts.get("launches") or () if one["kernel"] == kernel.name]

    def calls(self, node, name):
        return [n for n in ast.walk(node) if isinstance(n, ast.Call) and ast.unparse(n.func) == name]

    def method(self, name):
        for one in self.tree.body:
            if isinstance(one, ast.ClassDef) and one.name == "ModelNew":
                return next((f for f in one.body if isinstance(f, ast.FunctionDef) and f.name == name), None)
        return None

    def float_outputs(self):
        """All outputs are float32; their number, or 0."""
        outputs = self.facts.get("outputs")
        return len(outputs) if outputs and all(o and o[1] == "float32" for o in outputs) else 0

    def one_output(self):
        return self.float_outputs() == 1

    def all_outputs(self):
        """Outputs are tensors, one or several, all known."""
        outputs = self.facts.get("outputs")
        return bool(outputs) and all(outputs)

    def writes_inputs(self):
        """The reference itself may write to what it is given."""
        return re.search(r"inplace\s*=\s*True|\.[a-z]\w*[a-z0-9]_\(", self.task) is not None

    def output_stores(self, kernel):
        """Stores of the kernel to the memory of an output."""
        names = {n for one in self.kernel_facts(kernel) for n in one["outputs"]}
        return [c for c in self.calls(kernel, "tl.store") if len(c.args) >= 2 and
                names & {n.id for n in ast.walk(c.args[0]) if isinstance(n, ast.Name)}]

    def only_store(self, kernel):
        """The kernel's only store, if it is to an output and of something computed: a change of it shows. Else none."""
        stores = self.calls(kernel, "tl.store")
        if len(stores) != 1 or self.output_stores(kernel) != stores:
            return []
        return [] if isinstance(stores[0].args[1], ast.Constant) or self.text(stores[0].args[1]).startswith("tl.zeros(") else stores


def reference_text(pair, name="Reference"):
    """The task's module without its inputs, under another name."""
    tree = ast.parse(pair.task)
    kept = [n for n in tree.body if not (isinstance(n, ast.FunctionDef) and n.name in ("get_inputs", "get_init_inputs"))]
    lines = pair.task.splitlines()
    text = "\n\n".join("\n".join(lines[min([n.lineno, *[d.lineno for d in getattr(n, "decorator_list", [])]]) - 1:n.end_lineno]) for n in kept)
    return re.sub(rf"\b{re.escape(pair.entry_point)}\b", name, text) + "\n"


def solution_text(pair, name="Solution"):
    return re.sub(r"\bModelNew\b", name, pair.code).rstrip() + "\n"


def with_imports(text, *modules):
    """`from __future__` and a docstring stay first."""
    tree = ast.parse(text)
    after = 0
    for node in tree.body:
        is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_doc or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            after = node.end_lineno
            continue
        break
    lines = text.splitlines()
    return "\n".join(lines[:after] + [f"import {m}" for m in modules] + lines[after:]) + "\n"


def subclass(pair, body, *modules, base="Solution", before="", text=None):
    """The honest file, its class renamed, and a ModelNew derived from it."""
    out = (solution_text(pair) if text is None else text) + "\n\n" + (textwrap.dedent(before).strip("\n") + "\n\n\n" if before else "")
    out += f"class ModelNew({base}):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    return with_imports(out, "torch", *modules)


SPOILT = '''
def spoilt(y):
    if isinstance(y, (list, tuple)):
        return type(y)(spoilt(v) for v in y)
    return y + 1 if isinstance(y, torch.Tensor) else y
'''
