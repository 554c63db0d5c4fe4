"""What a candidate's text holds, read by Python's own parser before any of it runs: does it parse, does it define what will be
recorded, which Triton functions are in it."""
import ast

MAX_BYTES = 1 << 18  # a syntax tree takes hundreds of times the memory of its text, and seconds a megabyte

_FREE_CALLS = {"range", "static_range"}  # a loop alone computes nothing
_COMPUTES = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.UnaryOp)


def check(source, task_source, entry_point):
    """The report as source_report.cpp reads it."""
    text = source.encode("utf-8", "surrogatepass")
    if len(text) > MAX_BYTES:
        return _error(f"the file has {len(text)} bytes; more than {MAX_BYTES} are not parsed")
    try:
        return _Text(ast.parse(text)).report(lambda: _entry_names(task_source, entry_point))
    except SyntaxError as error:
        return _error(error.msg, error.lineno or 0, (error.text or "").strip()[:400])
    except RecursionError:
        return _error("nested too deeply for Python's parser")
    except MemoryError:
        return _error("too complex for Python's parser")
    except (ValueError, OverflowError) as error:  # null bytes, surrogates
        return _error(str(error) or type(error).__name__)


def _error(message, line=0, code=""):
    return {"parses": False, "error": message[:4000], "line": line, "code": code.encode("utf-8", "replace").decode(),
            "has_entry_class": False, "jit_functions": []}


def _entry_names(task_source, entry_point):
    """What may be recorded beside ModelNew, as modules.py will choose it."""
    if not entry_point:
        entry_point = "Model"
        try:
            classes = [n.name for n in ast.parse(task_source.encode("utf-8", "surrogatepass")).body if isinstance(n, ast.ClassDef)]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            classes = []  # the recording will say so
        if classes and entry_point not in classes:
            entry_point = classes[-1]
    return {entry_point, entry_point + "New"}


class _Text:
    """One parsed text, and what is known of its names."""

    def __init__(self, tree):
        self.tree = tree
        self.parents = {}
        self.nodes = []
        for node in ast.walk(tree):  # breadth first, without recursion
            self.nodes.append(node)
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.functions = {n.name: n for n in self.nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
        self.reads = {}  # name -> nodes that read it, or an attribute of that name
        for node in self.nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                self.reads.setdefault(_last_name(node), []).append(node)
        self.triton, self.jit = set(), set()
        self._imports()

    def report(self, entry_names):
        bound = set(_bound(self.tree.body))
        found = self.jit_functions()
        return {"parses": True, "error": "", "line": 0, "code": "", "jit_functions": found,
                "has_entry_class": "ModelNew" in bound or bool(bound & entry_names())}

    def jit_functions(self):
        found = []
        for node in self.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if any(self._is_jit(d) for d in node.decorator_list):
                    found.append((node.name, node.lineno, self._is_real(node), self._is_read(node.name, outside=node)))
            elif isinstance(node, ast.Call):
                made = self._made_by_call(node)
                if made is not None:
                    found.append(made)
        found.sort(key=lambda one: one[1])
        return [dict(zip(("name", "line", "real_body", "referenced"), one)) for one in found]

    def _imports(self):
        """The names under which this text knows triton and triton.jit."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                self.triton.update(a.asname or "triton" for a in node.names
                                   if a.name == "triton" or (a.name.startswith("triton.") and a.asname is None))
            elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "triton":
                self.jit.update(a.asname or "jit" for a in node.names if a.name in ("jit", "*"))
        for node in self.nodes:
            if isinstance(node, ast.Assign) and self._is_jit(node.value):
                self.jit.update(t.id for t in node.targets if isinstance(t, ast.Name))

    def _is_jit(self, node):
        """triton.jit under any of its names, with or without options."""
        while isinstance(node, ast.Call):
            if _last_name(node.func) == "partial" and node.args:
                node = node.args[0]
            elif not node.args:
                node = node.func
            else:
                return False
        if isinstance(node, ast.Name):
            return node.id in self.jit
        return isinstance(node, ast.Attribute) and node.attr == "jit" and _root(node) in self.triton

    def _made_by_call(self, call):
        """(name, line, real_body, referenced) of a function that the call makes a Triton function; None for other calls."""
        if call.args and self._is_jit(call.func):
            function = self.functions.get(call.args[0].id) if isinstance(call.args[0], ast.Name) else None
            name, read = self._destination(call)
            if name is None:
                name = _last_name(call.args[0]) or "<expression>"
            return name, function.lineno if function else call.lineno, function is not None and self._is_real(function), read
        if isinstance(call.func, ast.Attribute) and call.func.attr == "triton":  # TorchInductor's async_compile.triton
            texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if texts and "def " in texts[-1]:
                name, read = self._destination(call)
                return name or (texts[0] if len(texts) > 1 else "<text>"), call.lineno, _text_is_real(texts[-1]), read
        return None

    def _destination(self, call):
        """(the name that the call's result is assigned to, whether it is read); (None, …) where it has none."""
        node, parent = call, self.parents.get(call)
        while isinstance(parent, (ast.Call, ast.Attribute)):  # autotune(…)(jit(f)), jit(f).warmup
            node, parent = parent, self.parents.get(parent)
        targets = {ast.Assign: lambda: parent.targets, ast.AnnAssign: lambda: [parent.target],
                   ast.NamedExpr: lambda: [parent.target]}.get(type(parent), list)()
        name = next((_last_name(t) for t in targets if _last_name(t)), None)
        if name is None:
            return None, not isinstance(parent, ast.Expr)  # an expression whose value nobody takes
        return name, isinstance(parent, ast.NamedExpr) or self._is_read(name, outside=node)

    def _is_real(self, function):
        """Whether the body computes anything: a call, or an operation on a name."""
        for statement in function.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.AugAssign) or (isinstance(node, ast.Call) and _last_name(node.func) not in _FREE_CALLS):
                    return True
                if isinstance(node, ast.Name) and self._is_operand(node):
                    return True
        return False

    def _is_operand(self, node):
        while isinstance(node, ast.expr):
            if isinstance(node, _COMPUTES):
                return True
            node = self.parents.get(node)
        return False

    def _is_read(self, name, outside):
        return any(not self._is_inside(node, outside) for node in self.reads.get(name, ()))

    def _is_inside(self, node, outer):
        while node is not None:
            if node is outer:
                return True
            node = self.parents.get(node)
        return False


def _last_name(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _root(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _text_is_real(source):
    try:
        text = _Text(ast.parse(source.encode("utf-8", "surrogatepass")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(one["real_body"] for one in text.jit_functions())


def _bound(statements):
    """Names that a module binds at its top level, branches included."""
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((a.asname or a.name).partition(".")[0] for a in node.names)
        else:  # if, try, with, loops
            for field in ("body", "orelse", "finalbody", "handlers"):
                pending.extend(getattr(node, field, ()))
