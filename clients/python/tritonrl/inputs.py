"""Example inputs of a module as words for `tritonrl optimize --input`."""

import re

import torch

TYPES = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.float64: "f64", torch.int64: "i64",
         torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool"}
SPEC = re.compile(r"\w+\[([^\]]*)\]")


def words_of(inputs):
    """One word for each argument of forward. inputs: a tensor, or a list of tensors, numbers, None and words as --input takes them."""
    if isinstance(inputs, (str, torch.Tensor)):
        inputs = [inputs]
    return [_word(one, place) for place, one in enumerate(inputs)]


def _word(value, place):
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if not isinstance(value, torch.Tensor) or value.dtype not in TYPES:
        kind = value.dtype if isinstance(value, torch.Tensor) else type(value).__name__
        raise ValueError(f"inputs[{place}] is {kind}; pass tensors of {', '.join(TYPES.values())}, numbers, None, or words such as 'f32[1..64,1024]'")
    word = f"{TYPES[value.dtype]}[{','.join(map(str, value.shape))}]"
    if value.dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8) and value.numel():
        word += f"<{max(1, int(value.max()) + 1)}"
    return word


def in_range(words, arguments):
    """Whether tensors have sizes for which these words were proven."""
    for word, value in zip(words, arguments):
        spec = SPEC.match(word)
        if spec is None or not isinstance(value, torch.Tensor):
            continue
        sizes = [size for size in spec[1].split(",") if size.strip()]
        if len(sizes) != value.dim() or not all(_has(size, actual) for size, actual in zip(sizes, value.shape)):
            return False
    return True


def _has(size, actual):
    """'64', '1..64' or 'B=1..64' has 17? A name alone has been given its range elsewhere."""
    low, dots, high = size.rpartition("=")[2].strip().partition("..")
    if not low.isdigit():
        return True
    return int(low) <= actual <= int(high) if dots else actual == int(low)
