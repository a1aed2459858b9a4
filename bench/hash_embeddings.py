"""Embedding models that know words and nothing else, behind a real server: `python -m bench.hash_embeddings`.

A word is a random direction of its own in each model, a text the mean of its words: texts of common words are near each
other, in every model, and their vectors are nevertheless of no use in another one. It prints its address.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]


def embedded(model: str, dimension: int, texts: Sequence[str]) -> Rows:
    """A row of unit length for each text."""
    rows = np.stack([np.sum([_word(model, dimension, word) for word in text.split()], axis=0) for text in texts])
    unit: Rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


@cache
def _word(model: str, dimension: int, word: str) -> Rows:
    seed = int.from_bytes(hashlib.sha256(f"{model}\n{word}".encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(dimension, np.float32)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        rows = embedded(asked["model"], asked["dimensions"], texts).tolist()
        data = [{"object": "embedding", "index": number, "embedding": row} for number, row in enumerate(rows)]
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        body = json.dumps({"object": "list", "model": asked["model"], "data": data, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def embedding_server() -> Iterator[str]:
    """The address of a server in a process of its own."""
    with subprocess.Popen([sys.executable, "-m", __name__], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/v1\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
