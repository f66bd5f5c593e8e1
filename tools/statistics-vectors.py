#!/usr/bin/env python3
"""Reference values for test/desk/statistics, computed with scipy: python3 tools/statistics-vectors.py

Debian: apt-get install python3-scipy. Writes test/fixtures/statistics.json, so tests need no Python.
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
    """src/base/terms/hash.ts, as unsigned numbers."""
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


def block_length(x):
    """Politis and White (2004) with Patton's correction, for the stationary bootstrap."""
    n, centered = len(x), x - x.mean()
    r = np.correlate(centered, centered, "full")[n - 1 :] / n
    kn = max(5, int(np.ceil(np.sqrt(np.log10(n)))))
    most = int(np.ceil(np.sqrt(n))) + kn
    loud = np.abs(r[1:] / r[0]) >= 2 * np.sqrt(np.log10(n) / n)
    quiet = [m for m in range(most) if not loud[m : m + kn].any()]
    m = quiet[0] if quiet else int(np.nonzero(loud[: most + kn])[0].max()) + 1
    if m == 0:
        return 1.0
    k = np.arange(-min(2 * m, most), min(2 * m, most) + 1)
    window = np.clip(2 * (1 - np.abs(k) / min(2 * m, most)), 0, 1)
    spectrum = (window * r[np.abs(k)]).sum()
    slope = (window * np.abs(k) * r[np.abs(k)]).sum()
    length = (slope**2 / spectrum**2) ** (1 / 3) * n ** (1 / 3)
    return float(max(1, min(length, np.ceil(min(3 * np.sqrt(n), n / 3)))))


def mean_interval(x, draws):
    block, h, means = round(block_length(x)), key_of(1, "desk", "mean"), []
    for _ in range(draws):
        rows, at = [], 0
        for i in range(len(x)):
            h = next_hash(h)
            if i == 0 or h / 2**32 < 1 / block:
                h = next_hash(h)
                at = int(h / 2**32 * len(x))
            else:
                at = (at + 1) % len(x)
            rows.append(at)
        means.append(np.mean(x[rows]))
    return [float(value) for value in np.quantile(means, [0.025, 0.975])]


def record(x):
    sr, below = sharpe(x), np.sqrt(np.mean(np.minimum(x, 0) ** 2))
    error = np.sqrt((1 - stats.skew(x) * sr + (stats.kurtosis(x, fisher=False) - 1) / 4 * sr**2) / (len(x) - 1))
    wilson = stats.binomtest(int((x > 0).sum()), len(x)).proportion_ci(0.95, "wilson")
    signs = "".join("w" if value > 0 else "l" if value < 0 else "." for value in x)
    wins, losses = x[x > 0], -x[x < 0]
    return {
        "error": error,
        "sortino": np.mean(x) / below,
        "annual": [sr * np.sqrt(365), np.mean(x) / below * np.sqrt(365), stats.gmean(1 + x) ** 365 - 1],
        "wilson": [wilson.low, wilson.high],
        "factor": wins.sum() / losses.sum(),
        "payoff": wins.mean() / losses.mean(),
        "runs": [max(map(len, signs.replace("l", ".").split("."))), max(map(len, signs.replace("w", ".").split(".")))],
        "block": block_length(x),
        "mean": mean_interval(x, 2000),
    }


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
remembers = np.zeros(240)
for at, noise in enumerate(np.random.default_rng(47).normal(0.001, 0.01, 240)):
    remembers[at] = noise + (0.6 * remembers[at - 1] if at else 0)

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
    "remembers": np.round(remembers, 8).tolist(),
    "records": {name: record(x) for name, x in {**series, "remembers": np.round(remembers, 8)}.items() if (x < 0).any()},
}
target = Path(__file__).parent.parent / "test/fixtures/statistics.json"
target.write_text(json.dumps(reference, indent=1, default=float) + "\n")
