"""A network learns to write sonnets, letter by letter; its whole training is one call.

python samples/character_lstm.py          a few epochs, seconds
python samples/character_lstm.py 1.6      until the loss is below 1.6 nats for each letter
"""

import sys
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import runtime as rt

TEXT = (Path(__file__).parent / "data" / "sonnets.txt").read_text()
LETTERS = sorted(set(TEXT))


class Writer:
    def __init__(self, generator, units=128):
        float32 = {"generator": generator, "dtype": np.float32}
        self.embedding = rt.nn.Embedding(len(LETTERS), 32, **float32)
        self.cell = rt.nn.LSTMCell(units, inputs=32, **float32)
        self.guess = rt.nn.Dense(len(LETTERS), inputs=units, **float32)

    def __call__(self, letter, state):
        output, state = self.cell(self.embedding(letter), state)
        return self.guess(output), state


def mean_loss(model, letters, following, state):
    total = np.float32(0)
    for letter, next_letter in zip(letters, following, strict=True):
        logits, state = model(letter, state)
        total += rt.nn.cross_entropy(logits, next_letter)
    return total / len(letters), state


@rt.function
def train(model, optimizer, windows, goal, epochs):
    parameters = rt.nn.parameters(model)
    for epoch in range(1, epochs + 1):
        state, total = model.cell.zero_state(windows.shape[-1]), np.float32(0)
        for window in windows:
            with rt.GradientTape() as tape:
                loss, state = mean_loss(model, window[:-1], window[1:], state)
            gradients = tape.gradient(loss, parameters)
            optimizer.apply(rt.optimizers.clip_by_global_norm(gradients, 1.0), parameters)
            total += loss / len(windows)
        if epoch % 5 == 0 or total < goal:
            print(f"epoch {epoch}: {total:.2f} nats for each letter", flush=True)
        if total < goal:
            break


@rt.function
def written(model, generator, first, count):  # draws letters by the softmax of logits / 0.7
    letter, state = first, model.cell.zero_state(1)
    letters = np.zeros(count, np.int64)
    for i in range(count):
        logits, state = model(letter.reshape(1), state)
        letters[i] = letter = np.argmax(logits[0] / 0.7 + generator.gumbel(size=len(LETTERS)))
    return letters


def windows_of(text, streams=8, length=32):
    """Several parts of a text side by side, cut into windows which overlap by one letter."""
    numbers = np.array([LETTERS.index(letter) for letter in text])
    parts = numbers[: len(numbers) // streams * streams].reshape(streams, -1)
    return sliding_window_view(parts, length + 1, axis=1)[:, ::length].transpose(1, 2, 0)


goal, epochs = (float(sys.argv[1]), 1000) if sys.argv[1:] else (0.0, 10)
rng = rt.random.Generator(0)
model = Writer(rng)
optimizer = rt.optimizers.Adam(3e-3, variables=rt.nn.parameters(model))
train(model, optimizer, windows_of(TEXT), np.float32(goal), np.int64(epochs))
text = written(model, rng, np.int64(LETTERS.index("S")), np.int64(200))
print("S" + "".join(LETTERS[letter] for letter in text))
