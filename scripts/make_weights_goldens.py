"""Writes tests/weights/goldens: files of the reference packages, and what those packages read from them.

    python scripts/make_weights_goldens.py            everything; needs torch, transformers 5, peft, safetensors, gguf
    python scripts/make_weights_goldens.py configs    config.json of the installed transformers only (run once with 4, once with 5)
    python scripts/make_weights_goldens.py qwen3      the GGUF file of one family only
"""

import base64
import hashlib
import json
import pathlib
import shutil
import sys
import tempfile

GGUF_MODELS = ("llama", "qwen2", "qwen3")
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "weights" / "goldens"


def write_json(name, value):
    (FOLDER / name).write_text(json.dumps(value, indent=1) + "\n")


def packed(array):
    return base64.b64encode(array.tobytes()).decode()


def configs():
    import transformers

    major = transformers.__version__.split(".")[0]
    llama3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
              "original_max_position_embeddings": 64}
    linear = {"rope_type": "linear", "factor": 2.5}

    def rope(theta, scaling=None):
        if major == "4":
            return {"rope_theta": theta, "rope_scaling": scaling}
        return {"rope_parameters": {"rope_theta": theta, **(scaling or {"rope_type": "default"})}}

    dtype = "torch_dtype" if major == "4" else "dtype"
    sizes = {"vocab_size": 96, "hidden_size": 32, "intermediate_size": 56, "num_hidden_layers": 3, "num_attention_heads": 4,
             "num_key_value_heads": 2, "max_position_embeddings": 256}
    made = {
        "qwen2": transformers.Qwen2Config(**sizes, **rope(1000000.0), tie_word_embeddings=True, bos_token_id=1,
                                          eos_token_id=[2, 3], architectures=["Qwen2ForCausalLM"], **{dtype: "bfloat16"}),
        "llama": transformers.LlamaConfig(**sizes, **rope(500000.0, llama3), head_dim=16, attention_bias=True, mlp_bias=True,
                                          rms_norm_eps=1e-5, architectures=["LlamaForCausalLM"], **{dtype: "float16"}),
        "qwen3": transformers.Qwen3Config(**sizes, **rope(1000000.0), head_dim=16, tie_word_embeddings=True, bos_token_id=1,
                                          eos_token_id=[2, 3], architectures=["Qwen3ForCausalLM"], **{dtype: "bfloat16"}),
        "llama_linear": transformers.LlamaConfig(**sizes, **rope(10000.0, linear), architectures=["LlamaForCausalLM"]),
    }
    for name, config in made.items():
        with tempfile.TemporaryDirectory() as folder:
            config.save_pretrained(folder)
            shutil.copy(pathlib.Path(folder) / "config.json", FOLDER / f"config_{name}_{major}.json")


def adapter_config():
    import peft

    config = peft.LoraConfig(r=8, lora_alpha=24, lora_dropout=0.1, target_modules=["q_proj", "down_proj", "v_proj"],
                             task_type="CAUSAL_LM", use_rslora=True, base_model_name_or_path="some/model")
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)
        shutil.copy(pathlib.Path(folder) / "adapter_config.json", FOLDER / "adapter_config.json")


def safetensors_files():
    import safetensors.torch
    import torch

    torch.manual_seed(1)
    tensors = {
        "a.f64": torch.randn(3, dtype=torch.float64),
        "b.f32": torch.randn(2, 3),
        "c.f16": torch.randn(4).half(),
        "d.bf16": torch.randn(2, 2, 2).bfloat16(),
        "e.i64": torch.tensor([-(2**62), 7]),
        "f.i32": torch.tensor([[-5], [6]], dtype=torch.int32),
        "g.i16": torch.tensor([-300, 300], dtype=torch.int16),
        "h.i8": torch.tensor([-8, 8, 9], dtype=torch.int8),
        "i.u8": torch.tensor([200], dtype=torch.uint8),
        "j.bool": torch.tensor([True, False, True]),
        "k.scalar": torch.tensor(1.5),
        "l.empty": torch.zeros(0, 7),
        "m.ünï \"quoted\"": torch.randn(1),
    }
    safetensors.torch.save_file(tensors, FOLDER / "reference.safetensors", metadata={"format": "pt", "made by": "a test"})
    write_json("reference.json", [
        {"name": name, "shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch."),
         "bytes": packed(tensor.contiguous().view(-1).view(torch.uint8).numpy() if tensor.numel() else tensor.numpy())}
        for name, tensor in tensors.items()])
    safetensors.torch.save_file({"x": torch.zeros(4).to(torch.float8_e4m3fn)}, FOLDER / "float8.safetensors")


def random_blocks(np, random, kind, rows, columns):
    """Blocks of any bits whose scales are finite halves, subnormal and negative ones among them."""
    import gguf

    elements, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (rows * columns // elements, size), dtype=np.uint8)
    places = {"Q4_0": [0], "Q4_1": [0, 2], "Q8_0": [0], "Q6_K": [208]}[kind.name]
    for place in places:
        scales = (random.standard_normal(len(blocks)) * 0.05).astype(np.float16)
        scales[::7] *= np.float16(1e-4)
        blocks[:, place : place + 2] = scales.view(np.uint8).reshape(-1, 2)
    return blocks.reshape(rows, -1)


def gguf_types():
    import gguf
    import numpy as np

    random = np.random.default_rng(2)
    kinds = gguf.GGMLQuantizationType
    writer = gguf.GGUFWriter(FOLDER / "types.gguf", "test")
    writer.add_uint8("a.u8", 250)
    writer.add_int8("a.i8", -120)
    writer.add_uint16("a.u16", 65000)
    writer.add_int16("a.i16", -32000)
    writer.add_uint32("a.u32", 4000000000)
    writer.add_int32("a.i32", -2000000000)
    writer.add_uint64("a.u64", 2**63 + 5)
    writer.add_int64("a.i64", -(2**62))
    writer.add_float32("a.f32", 1.25)
    writer.add_float64("a.f64", 0.1)
    writer.add_bool("a.bool", True)
    writer.add_string("a.text", "grüße")
    writer.add_array("a.integers", [1, -2, 3])
    writer.add_array("a.texts", ["one", "", "three"])
    expected = []
    for kind in (kinds.F32, kinds.F16, kinds.BF16, kinds.Q8_0, kinds.Q4_0, kinds.Q4_1, kinds.Q6_K):
        if kind == kinds.F32:
            data = random.standard_normal((3, 256)).astype(np.float32)
        elif kind == kinds.F16:
            data = random.standard_normal((3, 256)).astype(np.float16)
        elif kind == kinds.BF16:
            data = gguf.quantize(random.standard_normal((3, 256)).astype(np.float32), kind)
        else:
            data = random_blocks(np, random, kind, 3, 256)
        writer.add_tensor(kind.name, data, raw_dtype=kind)
        expected.append({"name": kind.name, "number": int(kind), "values": packed(gguf.dequantize(data, kind))})
    finish(writer)
    write_json("types.json", expected)

    writer = gguf.GGUFWriter(FOLDER / "unsupported.gguf", "llama")
    writer.add_tensor("token_embd.weight", np.zeros((2, 144), np.uint8), raw_dtype=kinds.Q4_K)
    finish(writer)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def gguf_model(architecture):
    """A whole tiny model, in mixed types, as llama.cpp's converter lays it out; and what transformers reads from it."""
    import gguf
    import numpy as np
    import torch
    import transformers

    random = np.random.default_rng(3)
    kinds = gguf.GGMLQuantizationType
    hidden, inner, layers, heads, kv_heads, size, vocabulary = 32, 64, 2, 4, 2, 8, 40
    if architecture == "qwen3":
        heads, kv_heads, size = 2, 1, 128  # transformers knows no other size of Qwen3's heads in a GGUF file
    path = FOLDER / f"{architecture}.gguf"
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name("tiny")
    writer.add_context_length(128)
    writer.add_embedding_length(hidden)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(50000.0)
    if architecture == "qwen3":
        writer.add_key_length(size)
        writer.add_value_length(size)
    if architecture == "llama":
        writer.add_rope_dimension_count(size)
        writer.add_vocab_size(vocabulary)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm" if architecture == "llama" else "qwen2")
    letters = [chr(c) for c in range(ord("a"), ord("a") + 26)]
    tokens = ["<|end|>", "<|start|>", "<tool>"] + letters + ["Ġ", "he", "ll", "hell", "hello", "Ġhello"]
    tokens += [f"[PAD{i}]" for i in range(len(tokens), vocabulary)]
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, 4] + [1] * 32 + [5] * (vocabulary - 35))
    writer.add_token_merges(["h e", "l l", "he ll", "hell o", "Ġ hello"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(0)
    writer.add_chat_template("{% for message in messages %}{{ message['content'] }}{% endfor %}")

    def add(name, shape, kind=kinds.F32):
        values = random.standard_normal(shape).astype(np.float32)
        if len(shape) == 1 or kind == kinds.F32:
            writer.add_tensor(name, values)
        else:
            writer.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)

    add("token_embd.weight", (vocabulary, hidden), kinds.Q8_0)
    add("output_norm.weight", (hidden,))
    if architecture == "qwen2":
        add("output.weight", (vocabulary, hidden), kinds.BF16)
    for i in range(layers):
        # Each layer in other types, so that rows of q and k are put in order from quantised and from plain ones.
        q, k, other = [(kinds.Q4_0, kinds.Q8_0, kinds.Q4_1), (kinds.F16, kinds.F32, kinds.F16)][i]
        add(f"blk.{i}.attn_norm.weight", (hidden,))
        add(f"blk.{i}.ffn_norm.weight", (hidden,))
        if architecture == "qwen3":
            add(f"blk.{i}.attn_q_norm.weight", (size,))
            add(f"blk.{i}.attn_k_norm.weight", (size,))
        add(f"blk.{i}.attn_q.weight", (heads * size, hidden), q)
        add(f"blk.{i}.attn_k.weight", (kv_heads * size, hidden), k)
        add(f"blk.{i}.attn_v.weight", (kv_heads * size, hidden), other)
        add(f"blk.{i}.attn_output.weight", (hidden, heads * size), other)
        add(f"blk.{i}.ffn_gate.weight", (inner, hidden), other)
        add(f"blk.{i}.ffn_up.weight", (inner, hidden), other)
        add(f"blk.{i}.ffn_down.weight", (hidden, inner), other)
        if architecture == "qwen2":
            add(f"blk.{i}.attn_q.bias", (heads * size,))
            add(f"blk.{i}.attn_k.bias", (kv_heads * size,))
            add(f"blk.{i}.attn_v.bias", (kv_heads * size,))
    finish(writer)

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=path.name, dtype=torch.float32)
    state = {n: t for n, t in model.state_dict().items() if n != "lm_head.weight" or not model.config.tie_word_embeddings}
    read = json.loads(model.config.to_json_string(use_diff=False))
    fields = ("model_type", "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
              "num_key_value_heads", "head_dim", "max_position_embeddings", "rms_norm_eps", "rope_parameters",
              "tie_word_embeddings", "attention_bias", "mlp_bias", "initializer_range", "bos_token_id", "eos_token_id")
    write_json(f"{architecture}_gguf.json", {
        "config": {field: read[field] for field in fields if field in read},
        "tensors": {n: {"shape": list(t.shape), "sha256": hashlib.sha256(t.contiguous().numpy().tobytes()).hexdigest()}
                    for n, t in sorted(state.items())}})


def tiny_gguf():
    """The smallest whole model: a seed for fuzzing, where every byte should matter."""
    import gguf
    import numpy as np

    writer = gguf.GGUFWriter(FOLDER / "tiny.gguf", "llama")
    writer.add_context_length(8)
    writer.add_embedding_length(4)
    writer.add_block_count(1)
    writer.add_feed_forward_length(4)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(["<e>", "a", "b", "ab"])
    writer.add_token_types([3, 1, 1, 1])
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(0)
    writer.add_tensor("token_embd.weight", np.ones((4, 4), np.float16))
    writer.add_tensor("blk.0.attn_q.weight", np.ones((4, 4), np.float32))
    writer.add_tensor("blk.0.attn_k.bias", np.ones((4,), np.float32))
    finish(writer)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:] and sys.argv[1] in GGUF_MODELS:
        return gguf_model(sys.argv[1])
    configs()
    if sys.argv[1:] == ["configs"]:
        return
    adapter_config()
    safetensors_files()
    gguf_types()
    tiny_gguf()
    for architecture in GGUF_MODELS:
        gguf_model(architecture)


main()
