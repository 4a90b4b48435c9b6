"""Newton's square root under jax.jit, with a loop that ends when it has converged; the gradient is
that of the loop, because `max_iterations` says how long it can be."""

import importlib.util

import autograph


def square_root(a):
    x = a
    while abs(x * x - a) > 1e-5 * a:
        autograph.set_loop_options(max_iterations=30)
        x = (x + a / x) / 2
    return x


if importlib.util.find_spec("jax") is None:
    print("JAX is not installed: pip install jax")
else:
    import jax

    converted = autograph.to_graph(square_root)
    print(f"square root of 2: {jax.jit(converted)(2.0):.4f}")
    print(f"its derivative at 4: {jax.jit(jax.grad(converted))(4.0):.4f}")
    roots = jax.jit(jax.vmap(converted))(jax.numpy.array([1.0, 9.0, 100.0]))
    print("square roots of 1, 9, 100:", *(f"{root:.3f}" for root in roots))
