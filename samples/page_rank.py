"""PageRank, until it has converged: how likely is a reader of these pages to be at each of them?
And which page would gain most if readers were less patient?  That is a derivative of the loop."""

import numpy as np

import runtime as rt

PAGES = ["home", "news", "shop", "cart", "help", "blog"]
LINKS = ["news shop help blog", "home blog", "home cart", "shop", "home", "news home shop"]


@rt.function
def page_rank(links, damping, tolerance=1e-10):
    """The rank of each page, and the number of steps; `links[i, j]` is 1 if page i links to j."""
    count = len(links)
    moves = links / np.sum(links, axis=1, keepdims=True)
    rank = np.full(count, 1 / count)
    steps = 0
    while True:
        following = (1 - damping) / count + damping * rank @ moves
        steps += 1
        if np.sum(np.abs(following - rank)) < tolerance:
            return following, steps
        rank = following


def rank_of(damping, links, page):
    ranks, _ = page_rank(links, damping)
    return ranks[page]


links = np.array([[float(page in line.split()) for page in PAGES] for line in LINKS])
ranks, steps = page_rank(links, np.float64(0.85))
print("converged after", steps, "steps; the ranks add up to", round(float(np.sum(ranks)), 9))
slope = rt.function(rt.vmap(rt.grad(rank_of), in_axes=(None, None, 0)))
slopes = slope(np.float64(0.85), links, np.arange(len(PAGES)))
for page in np.argsort(-ranks):
    print(f"{PAGES[page]:5s} {ranks[page]:.4f}  by damping: {slopes[page]:+.4f}")
