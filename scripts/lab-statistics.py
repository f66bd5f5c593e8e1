#!/usr/bin/env python3
"""Reference values for test/programs/lab/statistics, computed with scipy: python3 scripts/lab-statistics.py

Debian: apt-get install python3-scipy. Writes test/fixtures/lab-statistics.json, so tests need no Python.
"""

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

MASK = 0xFFFFFFFF


def imul(a, b):
    return (a * b) & MASK


def hash32(key, first, second):
    """src/exchange/markets/synthetic/draws.ts, as unsigned numbers."""
    h = (key & MASK) ^ imul(first & MASK, 0x9E3779B1)
    h = imul(h ^ (h >> 15), 0x85EBCA6B)
    h ^= imul(second & MASK, 0xC2B2AE35)
    h = imul(h ^ (h >> 13), 0x27D4EB2F)
    h = imul(h ^ (h >> 16), 0x165667B1)
    return h ^ (h >> 15)


def next_hash(h):
    n = (h + 0x6D2B79F5) & MASK
    n = imul(n ^ (n >> 15), 0x2C1B3C6D)
    n = imul(n ^ (n >> 12), 0x297A2D39)
    return n ^ (n >> 15)


def key_of(seed, subject, purpose):
    key = hash32(0x51ED270B, seed % 2**32, seed // 2**32)
    for text in (subject, purpose):
        for i, letter in enumerate(text):
            key = hash32(key, ord(letter), i)
        key = hash32(key, len(text), -1)
    return key


def sharpe(x):
    return np.mean(x) / np.std(x, ddof=1)


def psr(sr, benchmark, count, skew, kurtosis):
    error = math.sqrt(1 - skew * sr + (kurtosis - 1) / 4 * sr**2)
    return stats.norm.cdf((sr - benchmark) * math.sqrt(count - 1) / error)


def expected_best(trials, variance):
    first = stats.norm.ppf(1 - 1 / trials)
    second = stats.norm.ppf(1 - 1 / (trials * math.e))
    return math.sqrt(variance) * ((1 - np.euler_gamma) * first + np.euler_gamma * second)


def cscv(matrix, parts):
    rows, columns = matrix.shape
    blocks = np.split(matrix[rows % parts :], parts)
    logits, losses = [], 0
    for chosen in combinations(range(parts), parts // 2):
        inside = np.concatenate([blocks[i] for i in chosen])
        outside = np.concatenate([blocks[i] for i in range(parts) if i not in chosen])
        best = np.argmax([sharpe(inside[:, i]) for i in range(columns)])
        results = [sharpe(outside[:, i]) for i in range(columns)]
        share = stats.rankdata(results)[best] / (columns + 1)
        logits.append(math.log(share / (1 - share)))
        losses += results[best] < 0
    return np.mean(np.array(logits) <= 0), losses / len(logits)


def luck(matrix, draws):
    scaled = matrix / np.sqrt((matrix**2).sum(axis=0))
    score = scaled.sum(axis=0).max()
    h, reached = key_of(1, "lab", "signs"), 0
    for _ in range(draws):
        signs = np.empty(len(matrix))
        for row in range(len(matrix)):
            h = next_hash(h)
            signs[row] = -1 if h & 0x80000000 else 1
        reached += (signs @ scaled).max() >= score - 1e-12
    return score, (reached + 1) / (draws + 1)


def bootstrap(one, other, draws):
    count = len(one)
    block = max(1, round(count ** (1 / 3)))
    h, means, sharpes = key_of(1, "lab", "bootstrap"), [], []
    for _ in range(draws):
        rows, at = [], 0
        for i in range(count):
            h = next_hash(h)
            if i == 0 or h / 2**32 < 1 / block:
                h = next_hash(h)
                at = int(h / 2**32 * count)
            else:
                at = (at + 1) % count
            rows.append(at)
        means.append(np.mean(one[rows]) - np.mean(other[rows]))
        sharpes.append(sharpe(one[rows]) - sharpe(other[rows]))
    bounds = lambda drawn: [float(value) for value in np.quantile(drawn, [0.025, 0.975])]
    return {"draws": draws, "mean": bounds(means), "sharpe": bounds(sharpes)}


random = np.random.default_rng(20261123)
series = {
    "normal": random.normal(0.001, 0.01, 120),
    "heavy": 0.01 * random.standard_t(4, 90),
    "skewed": 0.01 - random.exponential(0.01, 200),
    "rare": np.where(random.random(150) < 0.05, random.normal(0.02, 0.01, 150), 0),
}
series = {name: np.round(values, 8) for name, values in series.items()}
columns = np.round(random.normal(0, 0.01, (161, 7)) + random.normal(0, 0.01, (161, 1)), 8)
columns[:, 3] += 0.002

shapes = {}
for name, x in series.items():
    sr, skew, kurtosis = sharpe(x), stats.skew(x), stats.kurtosis(x, fisher=False)
    shapes[name] = {
        "returns": x.tolist(),
        "mean": np.mean(x),
        "deviation": np.std(x, ddof=1),
        "skew": skew,
        "kurtosis": kurtosis,
        "sharpe": sr,
        "probabilistic": {str(b): psr(sr, b, len(x), skew, kurtosis) for b in (0, 0.05, -0.1)},
        "deflated": [
            {"trials": n, "variance": v, "value": psr(sr, expected_best(n, v), len(x), skew, kurtosis)}
            for n, v in ((2, 0.01), (10, 0.002), (1000, 0.001))
        ],
    }

pbo = {str(parts): dict(zip(("probability", "loss"), map(float, cscv(columns, parts)))) for parts in (2, 4, 8, 10)}
score, probability = luck(columns, 499)
reference = {
    "scipy": scipy.__version__,
    "below": [[z, stats.norm.cdf(z)] for z in (-37, -9.5, -6, -5, -4.999, -2.5, -1, -0.1, 0, 0.3, 1.96, 4, 5.5, 8.2)],
    "quantile": [[p, stats.norm.ppf(p)] for p in (1e-300, 1e-20, 1e-9, 0.001, 0.02, 0.3, 0.5, 0.7, 0.975, 0.9999, 1 - 1e-9)],
    "best": [[n, expected_best(n, 0.3)] for n in (2, 3, 10, 100, 8800, 1_000_000)],
    "series": shapes,
    "columns": columns.T.tolist(),
    "overfitting": pbo,
    "luck": {"draws": 499, "score": float(score), "probability": float(probability)},
    "bootstrap": bootstrap(columns[:, 3], columns[:, 0], 300),
}
target = Path(__file__).parent.parent / "test/fixtures/lab-statistics.json"
target.write_text(json.dumps(reference, indent=1, default=float) + "\n")
