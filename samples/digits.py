"""A network that tells digits apart, 28 x 28 pixels each: all steps of its training are one call.

python samples/digits.py                  of drawn digits: shifted, in several greys, with noise
python samples/digits.py handwritten      of scikit-learn's (pip install autograph-numpy[samples])
"""

import sys
from pathlib import Path

import numpy as np

import runtime as rt

GLYPHS = (Path(__file__).parent / "data" / "digits.txt").read_text()


class Classifier:
    def __init__(self, generator):
        self.hidden = rt.nn.Dense(64, rt.nn.relu, generator=generator, dtype=np.float32)
        self.dropout = rt.nn.Dropout(0.3, generator)
        self.last = rt.nn.Dense(10, generator=generator, dtype=np.float32)

    def __call__(self, images, training=False):
        pixels = images.reshape((len(images), -1))
        return self.last(self.dropout(self.hidden(pixels), training))


@rt.function
def train(model, optimizer, generator, images, labels, steps):
    recent = np.float32(0)
    for step in range(1, steps + 1):
        chosen = generator.integers(len(images), size=32)
        with rt.GradientTape() as tape:
            loss = rt.nn.cross_entropy(model(images[chosen], training=True), labels[chosen])
        parameters = rt.nn.parameters(model)
        optimizer.apply(tape.gradient(loss, parameters), parameters)
        recent += loss / 100
        if step % 100 == 0:
            print(f"step {step}: loss {recent:.2f}, accuracy {accuracy(model, images, labels):.2f}")
            recent = np.float32(0)


def accuracy(model, images, labels):
    return np.mean(np.argmax(model(images), axis=-1) == labels)


def drawn_digits(generator, count):
    """Digits of `GLYPHS`, three times as large, somewhere in the picture."""
    rows = [row.split() for row in GLYPHS.split("\n") if row]
    glyphs = np.array([[[c == "#" for c in row[i]] for row in rows] for i in range(10)])
    large = np.kron(glyphs, np.ones((1, 3, 3)))
    labels = generator.integers(10, size=count)
    images = generator.normal(0, 0.3, (count, 28, 28))
    for image, label in zip(images, labels, strict=True):
        top, left = generator.integers((0, 3), (8, 11))
        image[top : top + 21, left : left + 15] += generator.uniform(0.4, 1) * large[label]
    return images.astype(np.float32), labels


def handwritten_digits():
    """The digits of scikit-learn (E. Alpaydin and C. Kaynak, 1998), 8 x 8, three times as large."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = np.kron(digits.images / 16, np.ones((1, 3, 3)))
    return np.pad(images, ((0, 0), (2, 2), (2, 2))).astype(np.float32), digits.target


if sys.argv[1:] == ["handwritten"]:
    images, labels = handwritten_digits()
else:
    images, labels = drawn_digits(np.random.default_rng(0), 1797)
rng = rt.random.Generator(0)
model = Classifier(rng)
model(images[:1])  # the layers create their parameters
optimizer = rt.optimizers.Adam(2e-3, variables=rt.nn.parameters(model))
train(model, optimizer, rng, images[:1500], labels[:1500], steps=np.int64(600))
print(f"accuracy on other digits: {accuracy(model, images[1500:], labels[1500:]):.2f}")
