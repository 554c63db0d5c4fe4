"""Modules with one heavy operator each, their solutions written by teacher_write_kernel, judged by `tritonrl verify`.

usage: judged_kernels.py WRITE_KERNEL TRITONRL [--tasks FILE_OR_FOLDER ...] [--variant canonical|fast] [--out FOLDER] [--only TEXT]
                         [--part K/N]

Plays the part of the teacher's writer: finds the heavy calls of forward by running it on tensors without values, puts a store
or a small epilogue behind each kernel, and checks that every line is in the normal form of Python's own unparse.
"""
import argparse
import ast
import inspect
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from torch.overrides import TorchFunctionMode

PARAMETERS = {
    'linear': 'input, weight, bias=None', 'matmul': 'input, other', 'mm': 'input, mat2', 'bmm': 'input, mat2', 'mv': 'input, vec',
    'addmm': 'input, mat1, mat2, *, beta=1, alpha=1', 'baddbmm': 'input, batch1, batch2, *, beta=1, alpha=1',
    'einsum': 'equation, a, b',
}
for n in '123':
    PARAMETERS[f'conv{n}d'] = 'input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1'
    PARAMETERS[f'conv_transpose{n}d'] = 'input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1'
    PARAMETERS[f'max_pool{n}d'] = 'input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False'
    PARAMETERS[f'avg_pool{n}d'] = 'input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None'
    PARAMETERS[f'adaptive_avg_pool{n}d'] = 'input, output_size'
    PARAMETERS[f'adaptive_max_pool{n}d'] = 'input, output_size, return_indices=False'
PARAMETERS['avg_pool1d'] = PARAMETERS['avg_pool1d'].removesuffix(', divisor_override=None')
SIGNATURES = {op: inspect.signature(eval(f'lambda {text}: 0')) for op, text in PARAMETERS.items()}
TENSORS = {'input': 'x', 'other': 'w', 'mat2': 'w', 'vec': 'w', 'mat1': 'u', 'batch1': 'u', 'batch2': 'w'}


class HeavyCalls(TorchFunctionMode):
    """Notes every heavy call: operator, arguments by parameter."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, '__name__', '').removeprefix('__').removesuffix('__')
        name = {'boolean_dispatch': 'max_pool', '_max_pool1d': 'max_pool1d', '_max_pool2d': 'max_pool2d', '_max_pool3d': 'max_pool3d',
                '_adaptive_max_pool2d': 'adaptive_max_pool2d', '_adaptive_max_pool1d': 'adaptive_max_pool1d',
                '_adaptive_max_pool3d': 'adaptive_max_pool3d'}.get(name, name)
        if name in SIGNATURES:
            bound = SIGNATURES[name].bind(*args, **(kwargs or {}))
            bound.apply_defaults()
            self.calls.append((name, dict(bound.arguments)))
            with torch._C.DisableTorchFunction():
                return function(*args, **(kwargs or {}))
        return function(*args, **(kwargs or {}))


def fact(value):
    if isinstance(value, torch.Tensor):
        return {'shape': list(value.shape), 'dtype': str(value.dtype).removeprefix('torch.')}
    if isinstance(value, (tuple, list)):
        return [fact(item) for item in value]
    return value


def operator_of(call, modules):
    """The operator that an expression calls, by its text."""
    if isinstance(call, ast.BinOp) and isinstance(call.op, ast.MatMult):
        return 'matmul'
    if not isinstance(call, ast.Call):
        return None
    text = ast.unparse(call.func)
    if text.startswith('self.') and text[5:] in modules:
        name = type(modules[text[5:]]).__name__
        return {'Linear': 'linear'}.get(name) or next(
            (op for op in SIGNATURES if op.replace('_', '') == name.lower()), None)
    name = text.split('.')[-1]
    return name if name in SIGNATURES and name != 'linear' or text == 'F.linear' else None


def expressions(call, op, modules):
    """What stands for each parameter, as text."""
    text = ast.unparse(call.func) if isinstance(call, ast.Call) else ''
    if text.startswith('self.') and text[5:] in modules:
        out = {p: f'{text}.{p}' for p in SIGNATURES[op].parameters if hasattr(modules[text[5:]], p)}
        return out | {'input': ast.unparse(call.args[0])}
    if isinstance(call, ast.BinOp):
        return {'input': ast.unparse(call.left), 'other': ast.unparse(call.right)}
    args = [ast.unparse(a) for a in call.args]
    if text.split('.')[0] not in ('torch', 'F', 'nn'):
        args.insert(0, ast.unparse(call.func.value))
    bound = SIGNATURES[op].bind(*args, **{k.arg: ast.unparse(k.value) for k in call.keywords})
    return {p: bound.arguments.get(p, repr(d.default)) for p, d in SIGNATURES[op].parameters.items()}


class Writer:
    def __init__(self, program, variant):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.variant = variant

    def kernel(self, op, arguments, names):
        request = {'op': op, 'variant': self.variant, 'arguments': [
            {'parameter': p, 'name': names[p], 'fact': fact(v)} for p, v in arguments.items()]}
        if op == 'einsum':
            equation, a, b = request['arguments']
            request['arguments'] = [equation, {'parameter': 'operands', 'name': ['a', 'b'], 'fact': [a['fact'], b['fact']]}]
        self.process.stdin.write(json.dumps(request) + '\n')
        self.process.stdin.flush()
        part = json.loads(self.process.stdout.readline())
        if part and op == 'einsum':
            part['parameters'] = ['a', 'b']
        return part


def kernel_text(name, part, names, epilogue):
    pointers = [f'{o}_ptr' for o in part['operands']] + ['y_ptr']
    parameters = pointers + [a for a, _ in part['arguments']] + [f'{c}: tl.constexpr' for c, _ in part['constants']]
    lines = ['@triton.jit', f'def {name}_kernel({", ".join(parameters)}):']
    lines += ['    ' + line for line in part['kernel']]
    if epilogue:
        lines += ['    acc = tl.maximum(acc, 0.0)', '    acc = acc * 2.0']
    lines += ['    tl.store(y_ptr + o, acc, mask=m)', '']
    host = [names[p] for p in part['parameters']]
    lines += [f'def {name}({", ".join(host)}):']
    lines += [f'    {o} = {o}.contiguous()' for o in part['operands']]
    lines += ['    ' + line for line in part['host']]
    first = part['operands'][0]
    lines += [f'    y = torch.empty({part["shape"]}, device={first}.device, dtype={first}.dtype)']
    values = part['operands'] + ['y'] + [e for _, e in part['arguments']] + [e for _, e in part['constants']]
    values += [part['options']] if part['options'] else []
    lines += [f'    grid = {part["grid"]}', f'    {name}_kernel[grid]({", ".join(values)})', '    return y', '']
    return lines


def solution(source, writer, epilogue=False):
    """The candidate's text; None where an operator has no kernel. With an epilogue the module's result is changed too."""
    tree = ast.parse(source)
    space = {}
    exec(compile(source, 'task', 'exec'), space)
    with torch.device('meta'):
        model = space['Model'](*space['get_init_inputs']())
        inputs = space['get_inputs']()
    modules = dict(model.named_modules())
    with HeavyCalls() as seen:
        model(*inputs)
    calls = list(seen.calls)
    texts = []

    class Replace(ast.NodeTransformer):
        def visit(self, node):
            node = self.generic_visit(node)
            op = operator_of(node, modules)
            if op is None:
                return node
            index = next(i for i, (name, _) in enumerate(calls) if name == op)
            _, arguments = calls.pop(index)
            given = expressions(node, op, modules)
            names = {p: '' if v is None else TENSORS.get(p, p) for p, v in arguments.items()}
            # A module may hold a number where its functional gets a tuple.
            for p in arguments:
                if given[p].startswith('self.') and p not in ('input', 'weight', 'bias'):
                    arguments[p] = getattr(modules['.'.join(given[p].split('.')[1:-1])], p)
            part = writer.kernel(op, arguments, names)
            if part is None:
                raise LookupError(op)
            name = f'{op}{len(texts) + 1}'
            texts.append(kernel_text(name, part, names, epilogue))
            return ast.parse(f'{name}({", ".join(given[p] for p in part["parameters"])})', mode='eval').body

    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == 'Model':
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == 'forward':
                    Replace().visit(method)
            node.name = 'ModelNew'

            class Rename(ast.NodeTransformer):
                def visit_Name(self, name):
                    return ast.copy_location(ast.Name('ModelNew', name.ctx), name) if name.id == 'Model' else name
            Rename().visit(node)
    if not texts:
        raise LookupError('nothing found')
    code = '\n'.join('\n'.join(text) for text in texts)
    normal = ast.unparse(ast.parse(code))
    written = [line for line in code.split('\n') if line]
    for got, want in zip(written, [line for line in normal.split('\n') if line]):
        if got != want:
            raise AssertionError(f'not in normal form:\n  {got}\n  {want}')
    return 'import triton\nimport triton.language as tl\n' + ast.unparse(tree).replace('class ModelNew', code + '\nclass ModelNew', 1)


def with_epilogue(source):
    """The same task whose result goes through relu and a factor, as the epilogue of kernel_text does it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == 'forward':
            node.body[-1].value = ast.parse(f'torch.relu({ast.unparse(node.body[-1].value)}) * 2.0', mode='eval').body
    return ast.unparse(tree)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('write_kernel')
    parser.add_argument('tritonrl')
    parser.add_argument('--tasks', nargs='*', default=[])
    parser.add_argument('--variant', default='canonical')
    parser.add_argument('--only', default='')
    parser.add_argument('--part', default='0/1', help='of the cases, those whose number leaves K when divided by N')
    parser.add_argument('--out', default='')
    parser.add_argument('--dry', action='store_true')
    options = parser.parse_args()
    folder = pathlib.Path(options.out or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(options.write_kernel, options.variant)
    sources = {}
    if options.tasks:
        for path in options.tasks:
            path = pathlib.Path(path)
            for file in sorted(path.glob('*.py')) if path.is_dir() else [path]:
                sources[file.stem] = file.read_text()
    else:
        from kernel_cases import CASES
        sources = CASES
    rows, missing = [], []
    part, parts = map(int, options.part.split('/'))
    for number, (name, source) in enumerate(sources.items()):
        if number % parts != part or (options.only and options.only not in name):
            continue
        epilogue = not options.tasks and len(rows) % 2 == 1
        try:
            code = solution(source, writer, epilogue)
        except LookupError as reason:
            missing.append((name, str(reason)))
            continue
        source = with_epilogue(source) if epilogue else source
        (folder / f'{name}.task.py').write_text(source)
        (folder / f'{name}.py').write_text(code)
        rows.append({'id': name, 'task': source, 'code': code})
    for name, reason in missing:
        print(f'no kernel  {name}: {reason}')
    if options.dry:
        return 0
    (folder / 'batch.jsonl').write_text(''.join(json.dumps(row) + '\n' for row in rows))
    subprocess.run([options.tritonrl, 'verify', '--batch', str(folder / 'batch.jsonl'), '--out', str(folder / 'results.jsonl'),
                    '--overwrite', '--policy', 'strict', '--python', sys.executable, '--no-cache', '--workers', '2', '--seed', '1'],
                   check=False)
    failed = 0
    for line in (folder / 'results.jsonl').read_text().splitlines():
        result = json.loads(line)
        verdict = result.get('verdict', result)
        good = verdict['kind'] == 'passed'
        failed += not good
        if good:
            print(f'passed     {result["id"]}: modelled {verdict["timing"]["speedup"]:.2f}x, judged in {sum(verdict["ms"].values()) / 1e3:.1f} s')
        else:
            print(f'FAILED     {result["id"]}: {verdict["kind"]} {verdict["stage"]} {verdict["rule"]}: {verdict["message"]}')
    print(f'{len(rows) - failed} of {len(rows)} pass')
    return 1 if failed or (missing and not options.tasks) else 0


if __name__ == '__main__':
    sys.exit(main())
