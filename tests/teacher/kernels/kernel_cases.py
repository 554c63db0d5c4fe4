"""Small tasks, one heavy operator each, for judged_kernels.py: name -> source. Sizes that divide no block, and every argument that matters."""


def layer(constructor, *shape):
    return task(f'        self.layer = nn.{constructor}\n', 'self.layer(x)', {'x': shape})


def function(expression, **shapes):
    return task('', expression, shapes)


def task(made, expression, shapes):
    drawn = ', '.join(f'torch.randn{tuple(shape)}' for shape in shapes.values())
    return f'''import torch
import torch.nn as nn
import torch.nn.functional as F

class Model(nn.Module):

    def __init__(self):
        super().__init__()
{made}
    def forward(self, {', '.join(shapes)}):
        return {expression}

def get_inputs():
    return [{drawn}]

def get_init_inputs():
    return []
'''


CASES = {
    'linear': layer('Linear(20, 30)', 5, 20),
    'linear_no_bias': layer('Linear(20, 30, bias=False)', 2, 3, 20),
    'linear_one_output': layer('Linear(20, 1)', 7, 20),
    'linear_vector': layer('Linear(20, 9)', 20),
    'linear_many_steps': layer('Linear(150, 70)', 70, 150),
    'linear_functional': function('F.linear(x, w)', x=(6, 5), w=(7, 5)),
    'matmul': function('torch.matmul(x, w)', x=(5, 6), w=(6, 7)),
    'matmul_sign': function('x @ w', x=(2, 3, 5, 6), w=(6, 7)),
    'matmul_with_itself': function('x @ x', x=(6, 6)),
    'matmul_transposed': function('torch.matmul(x.T, w.T)', x=(6, 5), w=(7, 6)),
    'matmul_batched': function('torch.matmul(x, w)', x=(2, 3, 5, 6), w=(2, 3, 6, 7)),
    'matmul_batch_left': function('torch.matmul(x, w)', x=(4, 3, 5, 6), w=(3, 6, 7)),
    'matmul_batch_right': function('torch.matmul(x, w)', x=(5, 6), w=(4, 6, 7)),
    'matmul_batch_crossed': function('torch.matmul(x, w)', x=(4, 1, 5, 6), w=(1, 3, 6, 7)),
    'matmul_vector': function('torch.matmul(x, w)', x=(5, 6), w=(6,)),
    'matmul_vector_batched': function('torch.matmul(x, w)', x=(3, 5, 6), w=(6,)),
    'matmul_vector_left': function('torch.matmul(x, w)', x=(6,), w=(6, 7)),
    'matmul_column': function('torch.matmul(x, w)', x=(5, 1100), w=(1100, 1)),
    'mm': function('torch.mm(x, w)', x=(70, 33), w=(33, 65)),
    'mv': function('torch.mv(x, w)', x=(5, 6), w=(6,)),
    'bmm': function('torch.bmm(x, w)', x=(3, 5, 6), w=(3, 6, 7)),
    'bmm_method': function('x.bmm(w)', x=(3, 70, 6), w=(3, 6, 70)),
    'addmm': function('torch.addmm(x, u, w)', x=(7,), u=(5, 6), w=(6, 7)),
    'addmm_whole': function('torch.addmm(x, u, w)', x=(5, 7), u=(5, 6), w=(6, 7)),
    'baddbmm': function('torch.baddbmm(x, u, w)', x=(2, 5, 7), u=(2, 5, 6), w=(2, 6, 7)),
    'einsum_plain': function("torch.einsum('ik,kj->ij', a, b)", a=(5, 6), b=(6, 7)),
    'einsum_transposed': function("torch.einsum('ik,kj->ji', a, b)", a=(5, 6), b=(6, 7)),
    'einsum_heads': function("torch.einsum('bqhd,bkhd->bhqk', a, b)", a=(2, 5, 3, 4), b=(2, 6, 3, 4)),
    'einsum_values': function("torch.einsum('bhqk,bkhd->bqhd', a, b)", a=(2, 3, 5, 6), b=(2, 6, 3, 4)),
    'einsum_two_sums': function("torch.einsum('nctv,cwt->nvw', a, b)", a=(2, 3, 4, 5), b=(3, 6, 4)),
    'conv1d': layer('Conv1d(3, 5, 3)', 2, 3, 11),
    'conv1d_all': layer('Conv1d(4, 6, 3, stride=2, padding=3, dilation=2, groups=2)', 2, 4, 13),
    'conv2d': layer('Conv2d(3, 5, 3)', 2, 3, 9, 8),
    'conv2d_no_bias': layer('Conv2d(3, 5, (3, 2), bias=False)', 2, 3, 9, 8),
    'conv2d_all': layer('Conv2d(6, 9, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 3), groups=3)', 2, 6, 9, 8),
    'conv2d_pointwise': layer('Conv2d(40, 70, 1)', 2, 40, 7, 6),
    'conv2d_depthwise': layer('Conv2d(4, 4, 3, padding=1, groups=4)', 2, 4, 9, 8),
    'conv2d_multiplier': layer('Conv2d(4, 8, 3, stride=2, groups=4, bias=False)', 2, 4, 9, 8),
    'conv2d_functional': function('F.conv2d(x, w, None, 2, 1)', x=(2, 3, 9, 8), w=(5, 3, 3, 3)),
    'conv3d': layer('Conv3d(2, 5, (2, 3, 3), stride=(1, 2, 1), padding=1)', 2, 2, 5, 6, 7),
    'conv3d_depthwise': layer('Conv3d(3, 3, 3, padding=1, groups=3)', 2, 3, 5, 4, 6),
    'transposed1d': layer('ConvTranspose1d(3, 5, 3, stride=2, padding=1, output_padding=1)', 2, 3, 9),
    'transposed2d': layer('ConvTranspose2d(3, 5, 3)', 2, 3, 6, 7),
    'transposed2d_strided': layer('ConvTranspose2d(3, 5, (3, 4), stride=(2, 3), padding=(1, 0), bias=False)', 2, 3, 6, 7),
    'transposed2d_all': layer('ConvTranspose2d(4, 6, 3, stride=3, padding=2, output_padding=2, groups=2, dilation=2)', 2, 4, 5, 6),
    'transposed2d_depthwise': layer('ConvTranspose2d(4, 4, 4, stride=2, padding=1, groups=4)', 2, 4, 5, 6),
    'transposed3d': layer('ConvTranspose3d(2, 3, 3, stride=(1, 2, 2), padding=1, output_padding=(0, 1, 0))', 2, 2, 4, 3, 5),
    'max_pool1d': layer('MaxPool1d(3, stride=2, padding=1)', 2, 3, 11),
    'max_pool2d': layer('MaxPool2d(2)', 2, 3, 9, 8),
    'max_pool2d_all': layer('MaxPool2d((3, 2), stride=(2, 1), padding=1, dilation=(1, 2), ceil_mode=True)', 2, 3, 10, 9),
    'max_pool3d': layer('MaxPool3d(2, stride=1)', 2, 2, 4, 5, 6),
    'max_pool2d_functional': function('F.max_pool2d(x, 2)', x=(2, 3, 9, 8)),
    'avg_pool1d': layer('AvgPool1d(4, stride=2, padding=1)', 2, 3, 11),
    'avg_pool2d': layer('AvgPool2d(2)', 2, 3, 9, 8),
    'avg_pool2d_ceiling': layer('AvgPool2d(3, stride=2, padding=1, ceil_mode=True)', 2, 3, 10, 8),
    'avg_pool2d_without_padding': layer('AvgPool2d(3, stride=2, padding=1, count_include_pad=False)', 2, 3, 10, 9),
    'avg_pool3d': layer('AvgPool3d((2, 3, 2), stride=(1, 2, 2), ceil_mode=True)', 2, 2, 4, 6, 7),
    'adaptive_avg_pool1d': layer('AdaptiveAvgPool1d(4)', 2, 3, 11),
    'adaptive_avg_pool2d': layer('AdaptiveAvgPool2d((3, None))', 2, 3, 7, 6),
    'adaptive_avg_pool2d_whole': layer('AdaptiveAvgPool2d(1)', 2, 3, 13, 11),
    'adaptive_avg_pool3d': layer('AdaptiveAvgPool3d(2)', 2, 3, 5, 4, 3),
    'adaptive_max_pool1d': layer('AdaptiveMaxPool1d(3)', 2, 3, 11),
    'adaptive_max_pool2d': layer('AdaptiveMaxPool2d((2, 5))', 2, 3, 7, 6),
    'adaptive_max_pool2d_whole': layer('AdaptiveMaxPool2d((1, 1))', 2, 3, 13, 11),
}
