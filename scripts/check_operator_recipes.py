"""Compares the teacher's operator table with torch itself.

    python scripts/check_operator_recipes.py build/release/tests/tritonrl-describe-operators

Every operator of the table is called as people call it, on small random inputs of several scales. The program says how it binds the
call, which recipe it chooses and what it believes of the result; this script executes the recipe with torch standing in for Triton
and compares values, shapes and types with what torch gives. Operators without a case, wrong results and texts that are not in
Python's normal form are failures.
"""

import ast
import collections
import json
import math
import pathlib
import subprocess
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings('ignore')
NONE, DIM, LAST, SPATIAL, GROUPS, PER_CHANNEL, CLASSES, ALL = range(8)
FLOAT_RESULT = 1


class tl:
    float16, bfloat16, float32 = torch.float16, torch.bfloat16, torch.float32
    int8, int16, int32, int64, uint8 = torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8
    exp, exp2, log2, sin, cos, erf = torch.exp, torch.exp2, torch.log2, torch.sin, torch.cos, torch.erf
    log = staticmethod(lambda a: torch.log(torch.as_tensor(a)))
    sqrt, rsqrt, floor, ceil, abs, sigmoid = torch.sqrt, torch.rsqrt, torch.floor, torch.ceil, torch.abs, torch.sigmoid
    where = torch.where
    maximum = staticmethod(lambda a, b: torch.maximum(*both(a, b)))
    minimum = staticmethod(lambda a, b: torch.minimum(*both(a, b)))


class libdevice:
    expm1, log10, tan, asin, acos, atan = torch.expm1, torch.log10, torch.tan, torch.asin, torch.acos, torch.atan
    sinh, cosh, asinh, acosh, atanh = torch.sinh, torch.cosh, torch.asinh, torch.acosh, torch.atanh
    erfc, erfinv, lgamma, trunc, rint = torch.erfc, torch.erfinv, torch.lgamma, torch.trunc, torch.round
    log1p = staticmethod(lambda a: torch.log1p(torch.as_tensor(a)))
    pow = staticmethod(lambda a, b: torch.pow(a, b))
    fmod = staticmethod(lambda a, b: torch.fmod(*both(a, b)))
    atan2 = staticmethod(lambda a, b: torch.atan2(*both(a, b)))
    hypot = staticmethod(lambda a, b: torch.hypot(*both(a, b)))
    copysign = staticmethod(lambda a, b: torch.copysign(*both(a, b)))


def both(a, b):
    """Two tensors of one type, as Triton makes of a tensor and a number."""
    like = a if isinstance(a, torch.Tensor) else b
    a = (
        a
        if isinstance(a, torch.Tensor)
        else torch.tensor(a, dtype=torch.promote_types(like.dtype, torch.result_type(like, a)))
    )
    b = (
        b
        if isinstance(b, torch.Tensor)
        else torch.tensor(b, dtype=torch.promote_types(like.dtype, torch.result_type(like, b)))
    )
    kind = torch.promote_types(a.dtype, b.dtype)
    return a.to(kind), b.to(kind)


class Rows:
    """Reductions over the rows; values keep their rank."""

    def __init__(self, kind, first, arguments):
        self.kind, rank = kind, first.dim()
        self.shape = first.shape
        dim = arguments.get('dim')
        if kind == DIM:
            dims = range(rank) if dim is None or dim == () or dim == [] else [dim] if isinstance(dim, int) else dim
            self.dims = [d % max(rank, 1) for d in dims]
        elif kind == LAST:
            wanted = arguments.get('normalized_shape')
            length = 1 if wanted is None or isinstance(wanted, int) else len(wanted)
            self.dims = list(range(rank - length, rank))
        elif kind == SPATIAL:
            self.dims = list(range(2, rank))
        elif kind == GROUPS:
            self.dims = [2]
            self.shape = (first.shape[0], arguments['num_groups'], -1)
        elif kind == PER_CHANNEL:
            self.dims = [d for d in range(rank) if d != 1]
        elif kind == CLASSES:
            self.dims = [1 if rank > 1 else 0]
        else:
            self.dims = list(range(rank))
        self.full = first.shape
        grouped = first.reshape(self.shape)
        self.count = math.prod(grouped.shape[d] for d in self.dims)
        order = [d for d in range(grouped.dim()) if d not in self.dims] + sorted(self.dims)
        self.place = torch.arange(self.count)
        if kind != GROUPS:
            tail = self.place.reshape([first.shape[d] for d in sorted(self.dims)])
            self.place = tail.expand([first.shape[d] for d in order]).permute([order.index(d) for d in range(rank)])

    def over(self, function):
        def apply(value):
            value = value.expand(self.full).reshape(self.shape)
            kept = [d for d in range(value.dim()) if d not in self.dims]
            flat = value.permute(kept + sorted(self.dims)).reshape([value.shape[d] for d in kept] + [-1])
            out = function(flat)
            if out.shape == flat.shape:  # a scan
                inverse = [(kept + sorted(self.dims)).index(d) for d in range(value.dim())]
                return (
                    out.reshape([value.shape[d] for d in kept + sorted(self.dims)]).permute(inverse).reshape(self.full)
                )
            out = out.reshape([1 if d in self.dims else value.shape[d] for d in range(value.dim())])
            if self.kind == GROUPS:
                return out.expand(value.shape).reshape(self.full)
            return out

        return apply

    def names(self):
        return {
            'sum': self.over(lambda v: v.sum(-1)),
            'max': self.over(lambda v: v.amax(-1)),
            'min': self.over(lambda v: v.amin(-1)),
            'prod': self.over(lambda v: v.prod(-1)),
            'any': self.over(lambda v: v.any(-1)),
            'all': self.over(lambda v: v.all(-1)),
            'argmax': self.over(lambda v: v.argmax(-1)),
            'argmin': self.over(lambda v: v.argmin(-1)),
            'cumsum': self.over(lambda v: v.cumsum(-1)),
            'cumprod': self.over(lambda v: v.cumprod(-1)),
            'cummax': self.over(lambda v: v.cummax(-1)[0]),
            'cummin': self.over(lambda v: v.cummin(-1)[0]),
            'count': self.count,
            'place': self.place,
        }


def fact_of(value):
    if isinstance(value, torch.Tensor):
        return {'kind': 'tensor', 'dtype': str(value.dtype)[6:], 'shape': list(value.shape)}
    if value is None:
        return {'kind': 'none'}
    if isinstance(value, bool):
        return {'kind': 'bool', 'value': value}
    if isinstance(value, int):
        return {'kind': 'int', 'value': value}
    if isinstance(value, float):
        return {'kind': 'float', 'value': value if math.isfinite(value) else str(value)}
    if isinstance(value, str):
        return {'kind': 'text', 'value': value}
    if isinstance(value, (list, tuple)):
        return {'kind': 'list', 'items': [fact_of(item) for item in value]}
    if isinstance(value, nn.Module):
        plain = (bool, int, float, str, tuple, list, type(None), torch.Tensor)
        attributes = {k: v for k, v in vars(value).items() if not k.startswith('_') and isinstance(v, plain)}
        attributes.update(value._parameters)
        attributes.update(value._buffers)
        return {
            'kind': 'module',
            'class': type(value).__name__,
            'attributes': {k: fact_of(v) for k, v in attributes.items()},
        }
    return {'kind': 'other', 'text': str(value)}


def execute(said, expression, names):
    """The value of the recipe."""
    arguments, first = {}, None
    space = dict(names, torch=torch, F=F, nn=nn)
    for argument in said['arguments']:
        if argument['place'] is not None:
            value = eval(expression[argument['place'][0] : argument['place'][1]], space)
        elif argument['attribute']:
            value = getattr(names['m'], argument['attribute'])
        else:
            value = argument.get('value')
        if isinstance(value, torch.Tensor) and first is None:
            first = value
        arguments[argument['parameter']] = value
    tensors = [v for v in arguments.values() if isinstance(v, torch.Tensor)]
    rank = max(t.dim() for t in tensors)
    channels = said['channel_parameters'].split(', ')
    row_values = said['row_parameters'].split(', ')
    whole = (
        torch.broadcast_tensors(
            *[
                v
                for k, v in arguments.items()
                if isinstance(v, torch.Tensor) and k not in channels and k not in row_values and k != 'weight'
            ]
        )[0]
        if said['rows'] != NONE and said['rows'] not in (GROUPS, PER_CHANNEL, SPATIAL)
        else first
    )
    space = {'tl': tl, 'libdevice': libdevice, 'float': float}
    rows = None
    if said['rows'] != NONE:
        rows = Rows(said['rows'], whole, arguments)
        space.update(rows.names())
    for name, value in arguments.items():
        if isinstance(value, torch.Tensor):
            if said['type'] == FLOAT_RESULT and not value.dtype.is_floating_point and name not in row_values:
                value = value.float()
            if name in channels and value.dim() == 1 and rank > 1:
                value = value.reshape([1, -1] + [1] * (rank - 2))
            if name in row_values:
                value = value.reshape([1 if d in rows.dims else s for d, s in enumerate(rows.full)])
        space[name] = value
    statements = said['recipe'].split('; ')
    for statement in statements[:-1]:
        target, text = statement.split(' = ', 1)
        space[target] = as_triton(text, space)
    return as_triton(statements[-1], space)


class TruncatedDivision(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv):
            return ast.Call(ast.Name('whole_quotient', ast.Load()), [node.left, node.right], [])
        return node


def as_triton(text, space):
    """The value of an expression where `//` of integers goes towards zero."""
    tree = ast.fix_missing_locations(TruncatedDivision().visit(ast.parse(text, mode='eval')))
    quotient = lambda a, b: torch.div(a, b, rounding_mode='trunc')
    return eval(compile(tree, text, 'eval'), dict(space, whole_quotient=quotient))


def reduce_all(value, how, batch):
    if how == 'mean':
        return value.mean()
    if how == 'sum':
        return value.sum()
    return value.sum() / batch if how == 'batchmean' else value


def compare(expression, said, names):
    fresh = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in names.items()}  # it may work in place
    space = dict(names, torch=torch, F=F, nn=nn)
    expected = eval(expression, space)
    results = list(expected) if isinstance(expected, (tuple, list)) else [expected]
    facts = [[str(r.dtype)[6:], list(r.shape)] for r in results]
    if [[f['dtype'], f['shape']] for f in said['facts']] != facts:
        return f"believes {said['facts']}, is {facts}"
    if said.get('recipe') is None:
        return None
    value = execute(said, expression, fresh)
    expected = results[0]
    if said['then'] and value.dim() and not expected.dim():
        how = next(a.get('value') for a in said['arguments'] if a['parameter'] == 'reduction')
        value = reduce_all(value, how, value.shape[0])
    if not isinstance(value, torch.Tensor):
        return f'the recipe gives {value}'
    value = value.to(expected.dtype)
    value = value.expand(expected.shape) if value.numel() != expected.numel() else value.reshape(expected.shape)
    if expected.dtype.is_floating_point:
        finite = torch.isfinite(expected)
        if not torch.equal(finite, torch.isfinite(value)):
            return f'not finite in other places: {expected.flatten()[:5]} {value.flatten()[:5]}'
        size = max(1.0, expected[finite].abs().max().item() if finite.any() else 1.0)
        if not torch.allclose(
            value[finite], expected[finite], rtol=1e-5, atol=1e-5 if expected.dtype == torch.float32 else 1e-2
        ):
            worst = (value[finite] - expected[finite]).abs().max().item()
            if worst > 1e-5 * size or said['rows'] == NONE:
                return f'differs by {worst:g} of {size:g}'
    elif not torch.equal(value, expected):
        return f'differs: {value.flatten()[:6]} {expected.flatten()[:6]}'
    return None


def inputs(scale, seed):
    g = torch.Generator().manual_seed(seed)
    randn = lambda *s: torch.randn(*s, generator=g) * scale
    rand = lambda *s: torch.rand(*s, generator=g)
    names = dict(
        x=randn(3, 4, 6),
        y=randn(4, 6),
        z=randn(3, 1, 6),
        v=randn(6),
        c=randn(4),
        p=rand(3, 4, 6) * scale + 0.01,
        u=rand(3, 4, 6) * 0.98 + 0.01,
        k=rand(3, 4, 6) * 0.98 + 0.01,
        s=randn(3, 4, 6).sign(),
        m2=randn(5, 7),
        n2=randn(5, 7),
        q=randn(5, 7),
        i=torch.randint(-9, 9, (3, 4, 6), generator=g),
        j=torch.randint(1, 5, (3, 4, 6), generator=g),
        b=randn(3, 4, 6) > 0,
        b2=randn(4, 6) > 0,
        image=randn(2, 6, 9, 8),
        volume=randn(2, 4, 5, 6, 7),
        line=randn(2, 6, 11),
        t5=torch.randint(0, 7, (5,), generator=g),
        t3=torch.randint(0, 4, (3, 6), generator=g),
        s5=randn(5).sign(),
        tokens=torch.randint(0, 10, (3, 4), generator=g),
        o=randn(1),
        table=randn(10, 6),
        w=randn(8, 3, 3, 3),
        w1=randn(8, 6, 3),
        w3=randn(8, 4, 2, 2, 2),
        wt=randn(6, 4, 3, 3),
        wt1=randn(6, 4, 3),
        wt3=randn(4, 2, 2, 2, 2),
        b8=randn(8),
        a2=randn(4, 5),
        a3=randn(3, 6, 5),
        big=randn(4, 6, 4, 4),
        idx=torch.tensor([0, 2, 1]),
        gi=torch.randint(0, 3, (3, 4, 6), generator=g),
        logs=torch.log_softmax(randn(3, 4, 6), 1),
        soft=torch.softmax(randn(3, 4, 6), 1),
        grid=rand(2, 5, 5, 2) * 2 - 1,
        n=3,
        half=randn(3, 4, 6).half(),
    )
    return names


def cases():
    path = pathlib.Path(__file__).parent.parent / 'tests/teacher/operators/operator_calls.txt'
    return [line for line in path.read_text().splitlines() if line and not line.startswith('#')]


def more(names):
    """Values that are made of others."""
    extra = dict(names)
    nan = names['x'].clone()
    nan.view(-1)[:3] = torch.tensor([math.nan, math.inf, -math.inf])
    extra.update(
        nan=nan,
        pp=names['p'] + 1,
        xs=names['x'].clamp(-100, 100),
        p5=names['j'],
        ones4=torch.ones(4),
        x3=names['x'][:, :3].contiguous(),
        big4=names['big'][:, :4].contiguous(),
        cols=torch.randn(2, 8, 9),
        a6=torch.randn(6, 5),
        row7=torch.randn(7),
        row5=torch.randn(5),
        wb=torch.randn(5, 6, 6),
        picture=names['image'][0],
        sorted6=torch.arange(-3.0, 3.0),
        idx5=torch.tensor([0, 1, 5]),
        t0=torch.tensor(2),
        soft5=torch.softmax(names['m2'], 1),
    )
    return extra


def prepare(case, scale, seed):
    names = more(inputs(scale, seed))
    if ': nn.' not in case:
        return case, names
    operands, layer = case.split(': ', 1)
    torch.manual_seed(seed)
    names['m'] = eval(layer)
    for parameter in names['m'].parameters():  # not ones and zeros
        if parameter.dim() == 1:
            nn.init.normal_(parameter)
        parameter.requires_grad_(False)
    for name, buffer in names['m'].named_buffers():
        if buffer.dtype.is_floating_point:
            buffer.copy_(torch.rand(buffer.shape) + 0.5)
    return f'm({operands})', names


operator_names, recipe_texts = [], set()


def check_normal_form(program):
    """Reads the table; the statements that Python would write otherwise."""
    bad = []
    for line in subprocess.run([program, '--table'], capture_output=True, text=True, check=True).stdout.splitlines():
        entry = json.loads(line)
        for recipe in entry['recipes']:
            for statement in recipe['text'].split('; '):
                if ast.unparse(ast.parse(statement)) != statement:
                    bad.append(f"{entry['name']}: {statement!r} is not {ast.unparse(ast.parse(statement))!r}")
        operator_names.append(entry['name'])
        recipe_texts.update((entry['name'], recipe['text']) for recipe in entry['recipes'])
    return bad


def main():
    program = sys.argv[1]
    bad = check_normal_form(program)
    asked = []
    for number, case in enumerate(cases()):
        for scale in (0.01, 1.0, 30.0):
            expression, names = prepare(case, scale, number)
            used = {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
            asked.append((case, scale, expression, {k: v for k, v in names.items() if k in used}))
    lines = '\n'.join(
        json.dumps({'expression': e, 'names': {k: fact_of(v) for k, v in n.items()}}) for _, _, e, n in asked
    )
    answers = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    seen, executed, compared = collections.Counter(), set(), 0
    for (case, scale, expression, names), answer in zip(asked, answers):
        said = json.loads(answer)
        if not said['bound'] and not isinstance(ast.parse(expression).body[0].value, ast.Subscript):
            bad.append(f'{case}: not bound')
            continue
        seen[said.get('operator')] += 1
        if said.get('recipe'):
            executed.add((said['operator'], said['recipe']))
        try:
            torch.manual_seed(0)
            problem = compare(expression, said, names)
        except Exception as error:
            problem = f'{type(error).__name__}: {error}'
        compared += 1
        if problem:
            bad.append(f"{case} at scale {scale}: {problem}")
    bad += [f'{name}: no case' for name in operator_names if not seen[name]]
    bad += [f'{name}: recipe never executed: {text}' for name, text in sorted(recipe_texts - executed)]
    for line in dict.fromkeys(bad):
        print(line)
    print(
        f'{len([n for n in operator_names if seen[n]])} of {len(operator_names)} operators, {len(executed)} of {len(recipe_texts)} different recipes, {compared} comparisons, {len(dict.fromkeys(bad))} problems'
    )
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
