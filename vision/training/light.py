"""Pictures in other light."""

from __future__ import annotations

import random

import cv2
import numpy as np

from vision.frame import Bgr


def relit(window: Bgr, chance: random.Random) -> Bgr:
    """The picture in other light, by chance also with other colours, blurred or noisy."""
    if chance.random() < 0.15:
        window = np.ascontiguousarray(window[..., chance.sample(range(3), 3)])
    gamma, gain = chance.uniform(0.7, 1.4), chance.uniform(0.85, 1.15)
    if chance.random() < 0.15:
        gain *= chance.uniform(0.15, 0.6)
    levels = 255 * gain * (np.arange(256) / 255) ** gamma
    window = np.asarray(cv2.LUT(window, np.clip(levels, 0, 255).astype(np.uint8)), dtype=np.uint8)
    if chance.random() < 0.2:
        window = np.asarray(cv2.GaussianBlur(window, (0, 0), chance.uniform(0.5, 1.6)), dtype=np.uint8)
    if chance.random() < 0.3:
        noise = np.random.default_rng(chance.randrange(1 << 30)).normal(0, chance.uniform(2, 22), window.shape)
        window = np.clip(window + noise, 0, 255).astype(np.uint8)
    return window
