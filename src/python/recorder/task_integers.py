"""The integer literals of a task that may be sizes. The task is parsed, not executed; places are bytes of its UTF-8 text."""
import ast
import re
import symtable

_FUNCTIONS = {"get_inputs", "get_init_inputs"}
_NO_SIZES = {"dim", "dims", "axis"}  # keyword arguments
_SEEDS = {"manual_seed", "manual_seed_all", "seed"}
_BOM = b"\xef\xbb\xbf"


def find(source):
    """The reply to a request for a task's integers: rows of value, begin, end, name, line; or the syntax error."""
    text = source.encode("utf-8", "surrogatepass")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return {"kind": "syntax_error", "message": error.msg, "line": error.lineno or 0}
    except (ValueError, RecursionError, MemoryError) as error:
        return {"kind": "syntax_error", "message": str(error) or "too complex for Python's parser", "line": 0}
    starts = [len(_BOM) if text.startswith(_BOM) else 0] + [end.end() for end in re.finditer(rb"\r\n|\r|\n", text)]
    rows = []
    fixed = _fixed(text, tree.body)
    for node, name in _literals(tree.body):
        if name in fixed:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        if _value(text[begin:end]) == node.value:  # not so where a text in another encoding counts its columns otherwise
            rows.append([node.value, begin, end, name, node.lineno])
    return {"kind": "integers", "integers": sorted(rows, key=lambda row: row[1])}


def _fixed(text, statements):
    """Module-level names that the model itself reads, and what they are made of. A candidate has its own copies of them."""
    made_of = {}
    for node in statements:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            for name, value in _assigned(node):
                made_of.setdefault(name, set()).update(n.id for n in ast.walk(value) if isinstance(n, ast.Name))
    fixed = {name for table in symtable.symtable(text, "task", "exec").get_children() if table.get_name() not in _FUNCTIONS
             for name in _globals_read(table)}
    pending = list(fixed)
    while pending:
        more = made_of.get(pending.pop(), set()) - fixed
        fixed |= more
        pending.extend(more)
    return fixed


def _globals_read(table):
    yield from (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced())
    for inner in table.get_children():
        yield from _globals_read(inner)


def _value(literal):
    try:
        return int(literal, 0)
    except ValueError:
        return None


def _literals(statements):
    """(node, the module-level name it is assigned to)"""
    for node in statements:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            for name, value in _assigned(node):
                yield from ((literal, name) for literal in _integers(value))
        elif isinstance(node, ast.FunctionDef) and node.name in _FUNCTIONS:
            defaults = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
            for part in (*defaults, *node.body):
                yield from ((literal, "") for literal in _integers(part))
        elif isinstance(node, (ast.If, ast.Try, ast.With)) and not _is_main_guard(node):
            for handler in getattr(node, "handlers", ()):
                yield from _literals(handler.body)
            for field in ("body", "orelse", "finalbody"):
                yield from _literals(getattr(node, field, ()))


def _is_main_guard(node):
    return isinstance(node, ast.If) and any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))


def _assigned(node):
    """(name, value) pairs of an assignment; none where it goes to a library's settings."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Name):
            return [(target.id, node.value)]
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [t.id if isinstance(t, ast.Name) else "" for t in target.elts]
            if isinstance(node.value, (ast.Tuple, ast.List)) and len(node.value.elts) == len(names):
                return list(zip(names, node.value.elts))
            return [(names[0] if names else "", node.value)]
    return []


def _integers(root):
    """Integer literals of at least 2 below a node, without those that cannot be sizes."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Constant):
            if type(node.value) is int and 2 <= node.value < 1 << 63:
                yield node
        elif isinstance(node, ast.Subscript):
            pending.append(node.value)
        elif isinstance(node, ast.keyword):
            if node.arg not in _NO_SIZES:
                pending.append(node.value)
        elif isinstance(node, ast.Call) and _name_of(node.func) in _SEEDS:
            pending.append(node.func)
        elif isinstance(node, (ast.Slice, ast.JoinedStr)) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
                                                              and isinstance(node.operand, ast.Constant)):
            continue  # a negative number is no size; places inside an f-string are not those of the text
        elif isinstance(node, ast.arg):
            continue  # its annotation
        elif isinstance(node, ast.AnnAssign):
            pending.extend(n for n in (node.target, node.value) if n is not None)
        else:
            pending.extend(ast.iter_child_nodes(node))


def _name_of(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
