"""An OpenAI-compatible /v1/embeddings on loopback: all-MiniLM-L6-v2 in plain numpy.

usage: embedding_server.py MODEL_FOLDER PORT      (config.json, model.safetensors, tokenizer.json)
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import erf, sqrt
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

TOKENS_MAX = 256

folder = Path(sys.argv[1])
config = json.loads((folder / "config.json").read_text())
weights = {
    name.removeprefix("bert."): tensor.astype(np.float32)
    for name, tensor in load_file(folder / "model.safetensors").items()
}
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.enable_truncation(TOKENS_MAX)
heads = config["num_attention_heads"]
width = config["hidden_size"] // heads
exact_erf = np.vectorize(erf, otypes=[np.float32])


def linear(x, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def normalized(x, name):
    centered = x - x.mean(-1, keepdims=True)
    spread = np.sqrt((centered**2).mean(-1, keepdims=True) + config["layer_norm_eps"])
    return centered / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(x):
    return x * 0.5 * (1 + exact_erf(x / sqrt(2)))


def attention(x, name):
    query, key, value = (
        linear(x, f"{name}.self.{part}").reshape(len(x), heads, width).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / sqrt(width)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = scores / scores.sum(-1, keepdims=True) @ value
    return linear(mixed.transpose(1, 0, 2).reshape(len(x), -1), f"{name}.output.dense")


def embed(text):
    """The vector of a text, of length 1, and the number of its tokens."""
    ids = tokenizer.encode(text).ids
    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    x = normalized(x, "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        x = normalized(x + attention(x, f"{name}.attention"), f"{name}.attention.output.LayerNorm")
        inner = gelu(linear(x, f"{name}.intermediate.dense"))
        x = normalized(x + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    vector = x.mean(0)
    return vector / np.linalg.norm(vector), len(ids)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply({"object": "list", "data": [{"id": "minilm", "object": "model"}]})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        given = request["input"]
        embedded = [embed(text) for text in ([given] if isinstance(given, str) else given)]
        tokens = sum(count for _, count in embedded)
        self.reply(
            {
                "object": "list",
                "model": request.get("model"),
                "data": [
                    {"object": "embedding", "index": index, "embedding": vector.tolist()}
                    for index, (vector, _) in enumerate(embedded)
                ],
                "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
            }
        )

    def reply(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
