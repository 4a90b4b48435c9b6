"""`rt.to_torch`: graphs as functions of PyTorch, with their gradients, on shared memory."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="rt.to_torch needs the package torch")

import runtime as rt  # noqa: E402


def scanned(x, w, options):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            total = total + np.tanh(x[i] * w) * options["scale"]
    return total, {"doubled": 2 * x, "count": np.sum(x > 0), "given": x}


def in_torch(x, w, scale):
    return (torch.tanh(x * w) * scale * (x > 0)).sum()


def tensors():
    x = torch.tensor([-1.0, -0.3, 0.4, 1.0], dtype=torch.float64, requires_grad=True)
    return x, torch.tensor(2.0, dtype=torch.float64, requires_grad=True)


def test_values_and_gradients_are_those_of_pytorch():
    (x, w), (x_1, w_1) = tensors(), tensors()
    scale = torch.tensor(3.0, dtype=torch.float64)
    total, found = rt.to_torch(scanned)(x, w, {"scale": scale})
    (2 * total + found["doubled"].sum()).backward()
    (2 * in_torch(x_1, w_1, scale) + (2 * x_1).sum()).backward()
    torch.testing.assert_close(x.grad, x_1.grad)
    torch.testing.assert_close(w.grad, w_1.grad)
    assert found["count"] == 2 and not found["count"].requires_grad


def test_pytorch_checks_the_gradient():
    x, w = tensors()
    fn = rt.to_torch(lambda x, w: scanned(x, w, {"scale": 3.0})[0])
    assert torch.autograd.gradcheck(fn, (x, w))


def test_modules_train_through_it():
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 1)
    fn = rt.to_torch(lambda w, b, x, y: np.mean((np.tanh(x @ w.T + b) - y) ** 2))
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    x, y = torch.randn(20, 3), torch.zeros(20, 1)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        value = fn(layer.weight, layer.bias, x, y)
        value.backward()
        optimizer.step()
        losses.append(value.item())
    assert value.dtype == torch.float32 and losses[-1] < losses[0] / 4


def test_memory_is_shared_and_nothing_is_copied():
    from runtime.frameworks.torch_function import array_of

    x, held = torch.ones(1000), np.zeros(1000)
    assert array_of(x).__array_interface__["data"][0] == x.data_ptr()
    found = rt.to_torch(lambda x: held)(x)
    assert found.data_ptr() == held.__array_interface__["data"][0]


def test_a_result_never_shares_memory_with_an_argument():
    x = torch.ones(6)
    found = rt.to_torch(lambda x: x.reshape(2, 3))(x)
    found[0, 0] = 7
    assert x.tolist() == [1] * 6 and found.shape == (2, 3)
    assert rt.to_torch(lambda x: x[::-1])(torch.arange(3)).tolist() == [2, 1, 0]


def test_a_tensor_changed_after_the_call_is_an_error_of_backward():
    x, w = tensors()
    total, _ = rt.to_torch(scanned)(x, w, {"scale": 1.0})
    with torch.no_grad():
        x[0] = 5
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()


def test_without_gradients_only_the_function_runs():
    x, w = tensors()
    with torch.no_grad():
        total, _ = rt.to_torch(scanned)(x, w, {"scale": 1.0})
    assert not total.requires_grad


def test_derivatives_of_derivatives():
    x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    fn = rt.to_torch(lambda x: np.sum(x**3))
    (slope,) = torch.autograd.grad(fn(x), [x], create_graph=True)
    (curvature,) = torch.autograd.grad(slope.sum(), [x], create_graph=True)
    (third,) = torch.autograd.grad(curvature.sum(), [x])
    assert curvature.tolist() == [3, 12] and third.tolist() == [6, 6]
    assert torch.autograd.gradgradcheck(fn, (x,))


def test_backward_records_its_graph_once():
    recorded = []

    def noted(x):
        recorded.append(1)
        return np.sum(x) * float(x[0])

    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    fn = rt.to_torch(noted)
    fn(x).backward()
    count = len(recorded)
    for scale in (2.0, 3.0):
        (scale * fn(x)).backward()
    assert len(recorded) == count and x.grad.tolist() == [24, 6, 6]


def writes(x):
    x[0] = 1.0
    return x


@pytest.mark.parametrize(
    "fn, x, kind, text",
    [
        (writes, torch.ones(3), ValueError, "read-only"),
        (abs, torch.ones(3, dtype=torch.bfloat16), TypeError, "bfloat16 has no array"),
        (abs, torch.ones(3, device="meta"), TypeError, "on the device meta"),
    ],
)
def test_what_cannot_be_passed_is_refused(fn, x, kind, text):
    with pytest.raises(kind, match=text):
        rt.to_torch(fn)(x)
    assert writes is not fn or x.tolist() == [1, 1, 1]
