"""Small changes that turn a right solution into a candidate of another kind.

Each mutation takes the text of a solution in the teacher's form (kernels under triton.jit that store to dst_ptr, host functions that set
`grid`, a ModelNew with one return in forward) and gives the changed text, or None where it does not apply. They change text in place
rather than unparse a tree, so that candidates look as their author wrote them.
"""
import ast
import re

FAR = 1 << 40  # elements: far outside of what any device maps, so that the access faults instead of hitting a neighbour


class Solution:
    """A solution's text with its syntax tree, and edits by node."""

    def __init__(self, source):
        self.source = source
        self.tree = ast.parse(source)
        self._lines = source.encode().splitlines(keepends=True)  # the tree's columns count bytes

    def _offset(self, line, column):
        return sum(map(len, self._lines[:line - 1])) + column

    def text(self, node):
        return ast.get_source_segment(self.source, node)

    def replaced(self, node, text):
        data = self.source.encode()
        begin = self._offset(node.lineno, node.col_offset)
        end = self._offset(node.end_lineno, node.end_col_offset)
        return (data[:begin] + text.encode() + data[end:]).decode()

    def with_lines_before(self, statement, lines):
        indent = " " * statement.col_offset
        rows = self.source.splitlines(keepends=True)
        at = statement.lineno - 1
        return "".join(rows[:at] + [f"{indent}{line}\n" for line in lines] + rows[at:])

    def kernels(self):
        return [f for f in self.tree.body if isinstance(f, ast.FunctionDef)
                and any(ast.unparse(d).startswith("triton.jit") for d in f.decorator_list)]

    def result_store(self):
        """The last store to the result, with its kernel; (None, None) where there is none."""
        for kernel in reversed(self.kernels()):
            stores = [c for c in calls(kernel, "tl.store") if "dst_ptr" in names(c.args[0])]
            if stores:
                return kernel, stores[-1]
        return None, None

    def method(self, name):
        model = next(c for c in self.tree.body if isinstance(c, ast.ClassDef) and c.name == "ModelNew")
        return next(f for f in model.body if isinstance(f, ast.FunctionDef) and f.name == name)


def calls(tree, function):
    """Calls of a function by its written name, in the text's order."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == function]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def names(tree):
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def in_text_order(nodes):
    return sorted(nodes, key=lambda n: (n.lineno, n.col_offset))


# Values


def stored_value(change):
    """A mutation of the value that the last store writes; `change` maps its text to another."""
    def mutate(source):
        solution = Solution(source)
        _, store = solution.result_store()
        return store and solution.replaced(store.args[1], change(solution.text(store.args[1])))
    return mutate


def value_statements(kernel):
    """Statements that compute values, not places or masks: the teacher calls values v1, v2, …, acc, acc1, …"""
    for statement in ast.walk(kernel):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if isinstance(statement, (ast.Assign, ast.AugAssign)) and isinstance(target, ast.Name) and re.fullmatch(r"(v|acc)\d*", target.id):
            yield statement


# In this order: a quotient or a product is hardly ever without effect, while a sum may be one with a bias that starts as zeros and a
# difference may be the one under a softmax, which does not change its result.
OPERATORS = [(ast.Div, "/", "*"), (ast.Mult, "*", "+"), (ast.Add, "+", "-")]


def other_operator(source):
    solution = Solution(source)
    kernel, _ = solution.result_store()
    if not kernel:
        return None
    binary = [n for s in value_statements(kernel) for n in ast.walk(s.value) if isinstance(n, ast.BinOp)]
    for kind, old, new in OPERATORS:
        for node in reversed(in_text_order(n for n in binary if isinstance(n.op, kind))):
            left, right = solution.text(node.left), solution.text(node.right)
            if solution.text(node) == f"{left} {old} {right}":
                return solution.replaced(node, f"({left} {new} {right})")
    for function, other in (("tl.maximum", "tl.minimum"), ("tl.minimum", "tl.maximum")):
        found = [c for s in value_statements(kernel) for c in calls(s, function)]
        if found:
            return solution.replaced(in_text_order(found)[-1].func, other)
    return None


def other_reduction(source):
    """A sum becomes a maximum. Not the other way: the maximum of a softmax may be anything. And not the sum of partial results (part1,
    part2, …), of which there may be only one."""
    solution = Solution(source)
    sums = [c for k in solution.kernels() for c in calls(k, "tl.sum") if not re.fullmatch(r"part\d+", ast.unparse(c.args[0]))]
    return solution.replaced(sums[-1].func, "tl.max") if sums else None


def loop_begins_late(source):
    """The first round of a summing loop is left out."""
    solution = Solution(source)
    for kernel in solution.kernels():
        for loop in in_text_order(n for n in ast.walk(kernel) if isinstance(n, ast.For)):
            if not any(isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add) for n in ast.walk(loop)):
                continue
            arguments = [solution.text(a) for a in loop.iter.args]
            late = f"1, {arguments[0]}" if len(arguments) == 1 else f"{arguments[0]} + {arguments[2]}, {arguments[1]}, {arguments[2]}"
            return solution.replaced(loop.iter, f"range({late})")
    return None


def half_of_the_grid(source):
    """Half of the programs are not launched: that part of the result is whatever lay in memory."""
    solution = Solution(source)
    grids = [n for n in ast.walk(solution.tree) if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "grid"]
    if not grids or ast.unparse(grids[-1].value) == "(1,)":
        return None
    return solution.replaced(grids[-1].value.elts[0], f"({solution.text(grids[-1].value.elts[0])}) // 2")


def returned(change):
    """A mutation of what forward returns."""
    def mutate(source):
        solution = Solution(source)
        result = next(n for n in ast.walk(solution.method("forward")) if isinstance(n, ast.Return))
        return solution.replaced(result.value, change(solution.text(result.value)))
    return mutate


# Files that do not compile


def syntax_error(source):
    solution = Solution(source)
    _, store = solution.result_store()
    return store and solution.replaced(store, solution.text(store)[:-1])


def odd_block(source):
    """Triton takes powers of two only."""
    solution = Solution(source)
    ranges = [c for k in solution.kernels() for c in calls(k, "tl.arange")]
    return solution.replaced(ranges[0].args[1], f"{solution.text(ranges[0].args[1])} + 1") if ranges else None


def missing_package(source):
    return source.replace("import torch\n", "import torch\nimport fast_triton_kernels\n", 1)


def no_entry_point(source):
    return re.sub(r"\bModelNew\b", "Solution", source)


# Crashes


def far_access(function):
    """The last load or store of the kernel that writes the result goes far out of bounds."""
    def mutate(source):
        solution = Solution(source)
        kernel, store = solution.result_store()
        found = kernel and (calls(kernel, function) if function == "tl.load" else [store])
        return solution.replaced(found[-1].args[0], f"{solution.text(found[-1].args[0])} + {FAR}") if found else None
    return mutate


def first_in(method, *lines, imports=()):
    """Statements at the beginning of one of ModelNew's methods; {argument} is its first argument after self."""
    def mutate(source):
        solution = Solution(source)
        function = solution.method(method)
        arguments = [a.arg for a in function.args.args[1:]]
        if any("{argument}" in line for line in lines) and not arguments:
            return None
        # behind the call of the base class's constructor, where a module may be used
        at = function.body[1] if method == "__init__" and len(function.body) > 1 else function.body[0]
        if method == "__init__" and len(function.body) == 1:
            return None
        text = solution.with_lines_before(at, [line.replace("{argument}", arguments[0] if arguments else "") for line in lines])
        return "".join(f"import {name}\n" for name in imports) + text
    return mutate


# Endless loops. Nothing in them can be told to end by a compiler, and each round reads or writes memory in a way that may not be removed.


def first_in_kernel(*lines):
    def mutate(source):
        solution = Solution(source)
        kernel, _ = solution.result_store()
        return kernel and solution.with_lines_before(kernel.body[0], lines)
    return mutate


kernel_polls = first_in_kernel(
    "waiting = 1",
    "while waiting > 0:",
    "    seen = tl.load(dst_ptr, volatile=True)",
    "    waiting = tl.where(seen == 1.0, 1, 2)")

kernel_waits_for_others = first_in_kernel(
    "arrived = 0",
    "while arrived < 1:",
    "    count = tl.atomic_add(dst_ptr, 0.0)",
    "    arrived = tl.where(count == 1.0, 0, -1)")


def endless_import(source):
    return source.replace("class ModelNew", "while True:\n    pass\n\nclass ModelNew", 1)


# group -> [(name, kind that our judge should give, mutation)]; samples prefer the first ones. What raises does not record at the task's
# shapes, so that its kind is compile_error (the verdict's contract), though it compiles.
MUTATIONS = {
    "right": [
        ("none", "passed", lambda source: source),
        ("host_round_trip", "passed", first_in("forward", "{argument} = {argument}.cpu().cuda()")),
    ],
    "wrong": [
        ("other_operator", "wrong", other_operator),
        ("one_percent_more", "wrong", stored_value(lambda value: f"({value}) * 1.01")),
        ("loop_begins_late", "wrong", loop_begins_late),
        ("rounded_to_bfloat16", "wrong", stored_value(lambda value: f"({value}).to(tl.bfloat16).to(tl.float32)")),
        ("other_reduction", "wrong", other_reduction),
        ("half_of_the_grid", "wrong", half_of_the_grid),
        ("other_shape", "wrong", returned(lambda value: f"({value}).unsqueeze(0)")),
        ("host_result", "wrong", returned(lambda value: f"({value}).cpu()")),
    ],
    "compile": [
        ("missing_tl_function", "compile_error", stored_value(lambda value: f"tl.fast_round({value})")),
        ("syntax_error", "invalid", syntax_error),
        ("undefined_name", "compile_error", stored_value(lambda value: f"({value}) * output_scale")),
        ("odd_block", "compile_error", odd_block),
        ("missing_package", "compile_error", missing_package),
        ("no_entry_point", "invalid", no_entry_point),
    ],
    "crash": [
        ("store_far_away", "crashed", far_access("tl.store")),
        ("raises", "compile_error", first_in("forward", "raise RuntimeError('unsupported input')")),
        ("load_far_away", "crashed", far_access("tl.load")),
        ("os_exit", "crashed", first_in("forward", "os._exit(0)", imports=("os",))),
        ("host_tensor", "compile_error", first_in("forward", "{argument} = {argument}.cpu()")),
        ("sys_exit", "compile_error", first_in("forward", "sys.exit(0)", imports=("sys",))),
        ("segmentation_fault", "crashed", first_in("forward", "ctypes.string_at(0)", imports=("ctypes",))),
        ("raises_in_init", "compile_error", first_in("__init__", "raise ValueError('unsupported configuration')")),
    ],
    "hang": [
        ("kernel_polls", "timeout", kernel_polls),
        ("python_loop", "timeout", first_in("forward", "while True:", "    pass")),
        ("kernel_waits_for_others", "timeout", kernel_waits_for_others),
        ("python_sleep", "timeout", first_in("forward", "time.sleep(1e6)", imports=("time",))),
        ("python_loop_in_init", "timeout", first_in("__init__", "while True:", "    pass")),
        ("endless_import", "timeout", endless_import),
    ],
}
UNPARSABLE = {"syntax_error"}
