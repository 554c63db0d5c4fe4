"""Rewrites a syntax tree so that the value of every expression in a function is shown to a function of ours, and nothing else changes.

Expressions keep their places, so that messages and records name the same lines as before."""
import ast

NOTE = "_note_value_"  # ends with an underscore: names that only begin with two are renamed inside classes
_KEPT_NAMES = {"super", "__class__", NOTE}  # the compiler looks for the bare names
_SHOWN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple,
          ast.List, ast.Constant, ast.ListComp, ast.NamedExpr)
_KERNEL_MARKS = {"jit", "autotune", "heuristics"}


def instrumented(tree):
    """(the tree, changed in place; the places: number -> [line, column, end line, end column])."""
    rewriter = _Rewriter()
    tree.body = rewriter.statements(tree.body)
    return ast.fix_missing_locations(tree), rewriter.places


class _Rewriter(ast.NodeTransformer):
    def __init__(self):
        self.places = []
        self._numbers = {}
        self._depth = 0  # of functions

    # -- statements

    def statements(self, body):
        out = []
        for statement in body:
            out.append(self.visit(statement))
            if self._depth and isinstance(statement, ast.AugAssign):
                out.extend(self._result_of(statement))
        return out

    def generic_visit(self, node):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.statements(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    def visit_FunctionDef(self, node):
        if any(_is_kernel_mark(d) for d in node.decorator_list):
            return node  # a text for Triton
        self._depth += 1
        node.body = self.statements(node.body)
        self._depth -= 1
        return node

    def visit_AsyncFunctionDef(self, node):
        return node

    def visit_ClassDef(self, node):
        depth, self._depth = self._depth, 0
        node.body = self.statements(node.body)
        self._depth = depth
        return node

    def visit_AugAssign(self, node):
        node.target = self.visit(node.target)
        node.value = self.visit(node.value)
        return node

    def _result_of(self, statement):
        """What the target holds afterwards, read once more; not where reading could do something."""
        # its parts were shown already
        target = statement.target
        plain = (isinstance(target, ast.Name) or
                 (isinstance(target, ast.Attribute) and isinstance(_unshown(target.value), ast.Name)))
        if not plain:
            return []
        if isinstance(target, ast.Name):
            again = ast.Name(target.id, ast.Load())
        else:
            again = ast.Attribute(ast.Name(_unshown(target.value).id, ast.Load()), target.attr, ast.Load())
        return [ast.copy_location(ast.Expr(self._shown(ast.copy_location(again, target))), statement)]

    def visit_AnnAssign(self, node):
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assign(self, node):
        node.value = self.visit(node.value)
        node.targets = [self.visit(t) for t in node.targets]
        return node

    def visit_match_case(self, node):
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = self.statements(node.body)
        return node

    def visit_ExceptHandler(self, node):
        node.body = self.statements(node.body)
        return node

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):
            node.value = self.visit(node.value)
        return node

    # -- expressions

    def visit(self, node):
        if isinstance(node, ast.expr) and not self._depth:
            return node
        node = super().visit(node)
        return self._shown(node) if isinstance(node, _SHOWN) and isinstance(getattr(node, "ctx", None), (ast.Load, type(None))) else node

    def visit_Name(self, node):
        return node

    def visit_JoinedStr(self, node):
        return node

    def visit_Lambda(self, node):
        node.body = self.visit(node.body)  # not its defaults
        return node

    def visit_Slice(self, node):
        return self.generic_visit(node)

    def visit_Subscript(self, node):
        node.value = self.visit(node.value)
        index = node.slice
        if isinstance(index, ast.Tuple) and any(isinstance(e, (ast.Slice, ast.Starred)) for e in index.elts):
            index.elts = [self.visit(e) for e in index.elts]  # slices have no meaning outside the brackets
        else:
            node.slice = self.visit(index)
        return node

    def _shown(self, node):
        if isinstance(node, ast.Name) and node.id in _KEPT_NAMES:
            return node
        place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        number = self._numbers.setdefault(place, len(self.places))
        if number == len(self.places):
            self.places.append(place)
        shown = ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(number), node], [])
        for new in (shown, shown.func, shown.args[0]):
            ast.copy_location(new, node)
        return shown


def _unshown(node):
    """The expression inside a call that shows it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == NOTE:
        return node.args[1]
    return node


def _is_kernel_mark(decorator):
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    root = decorator
    while isinstance(root, ast.Attribute):
        root = root.value
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", None)
    return name in _KERNEL_MARKS and isinstance(root, ast.Name) and root.id in ("triton", "jit", "autotune", "heuristics")
