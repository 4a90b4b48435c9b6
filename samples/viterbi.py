"""Viterbi's algorithm: the likeliest weather, given how many ice creams were eaten each day.
The second loop walks back through the choices that the first one has stored."""

import numpy as np

import runtime as rt

WEATHER = ["cold", "mild", "hot"]
START = np.log([0.4, 0.4, 0.2])
CHANGE = np.log([[0.7, 0.25, 0.05], [0.2, 0.6, 0.2], [0.05, 0.35, 0.6]])
EATEN = np.log([[0.7, 0.2, 0.08, 0.02], [0.2, 0.5, 0.2, 0.1], [0.05, 0.15, 0.3, 0.5]])


@rt.function
def likeliest(observed):
    """The likeliest states, one for each observation, and the logarithm of their probability."""
    scores = START + EATEN[:, observed[0]]
    choices = np.zeros((len(observed), len(START)), dtype=int)
    for day in range(1, len(observed)):
        candidates = scores[:, None] + CHANGE
        choices[day] = np.argmax(candidates, axis=0)
        scores = np.max(candidates, axis=0) + EATEN[:, observed[day]]
    states = np.zeros(len(observed), dtype=int)
    states[-1] = np.argmax(scores)
    for day in range(len(observed) - 1, 0, -1):
        states[day - 1] = choices[day, states[day]]
    return states, np.max(scores)


@rt.function
def log_likelihood(observed):
    """The logarithm of the probability of the observations, over all weathers."""
    scores = START + EATEN[:, observed[0]]
    for eaten in observed[1:]:
        scores = np.logaddexp.reduce(scores[:, None] + CHANGE, axis=0) + EATEN[:, eaten]
    return np.logaddexp.reduce(scores)


observed = np.array([0, 0, 1, 1, 3, 3, 2, 3, 1, 1, 0, 1, 2, 1, 0, 0])
states, score = likeliest(observed)
for eaten, state in zip(observed, states, strict=True):
    print(f"{WEATHER[state]:4s} {'o' * eaten}".rstrip())
share = np.exp(score - log_likelihood(observed))
print(f"log probability {score:.3f}, {share:.1%} of that of all weathers")
