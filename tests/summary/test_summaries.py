"""Summaries: the values in event files, as TensorBoard's own reader finds them."""

import io
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import runtime as rt

pytest.importorskip("tensorboard", reason="tensorboard is not installed")

from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util.tensor_util import make_ndarray


def written(folder):
    """The summaries in a folder: lists of (step, value), by name."""
    events = EventAccumulator(str(folder), size_guidance={"tensors": 0})
    events.Reload()
    return {
        tag: [(event.step, make_ndarray(event.tensor_proto)) for event in events.Tensors(tag)]
        for tag in events.Tags()["tensors"]
    }


def numbers(folder):
    """The scalars in a folder, as Python numbers."""
    return {
        tag: [(step, value.item()) for step, value in found]
        for tag, found in written(folder).items()
    }


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "run"


def test_importing_the_library_does_not_import_tensorboard():
    code = "import runtime as rt, sys; rt.summary.scalar('x', 1.0); print('tensorboard' in sys.modules, 'PIL' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


# -- values ----------------------------------------------------------------------------------------


def test_scalars_have_the_steps_that_are_given_or_are_counted(folder):
    with rt.summary.Writer(folder) as writer:
        rt.summary.scalar("loss", 0.5, step=10)
        rt.summary.scalar("loss", np.float32(0.25), step=np.int64(20))
        writer.scalar("other", True)
        writer.scalar("other", np.array(3))
    assert numbers(folder) == {"loss": [(10, 0.5), (20, 0.25)], "other": [(0, 1.0), (1, 3.0)]}


def test_every_summary_is_in_the_file_when_the_call_returns(folder):
    writer = rt.summary.Writer(folder)
    writer.scalar("x", 1.0)
    assert numbers(folder) == {"x": [(0, 1.0)]}
    writer.flush()
    writer.close()
    writer.close()
    with pytest.raises(ValueError, match="is closed"):
        writer.scalar("x", 2.0)


def test_the_innermost_writer_is_the_current_one_and_without_one_nothing_is_written(tmp_path):
    outer = rt.summary.Writer(tmp_path / "outer")
    with outer.as_default():
        rt.summary.scalar("a", 1.0)
        with rt.summary.Writer(tmp_path / "inner"):
            rt.summary.scalar("b", 2.0)
        rt.summary.scalar("c", 3.0)
    rt.summary.scalar("d", 4.0)
    outer.scalar("e", 5.0)
    outer.close()
    assert list(numbers(tmp_path / "outer")) == ["a", "c", "e"]
    assert list(numbers(tmp_path / "inner")) == ["b"]


def test_tensorboard_sees_all_that_writers_of_one_folder_write_while_it_looks(folder):
    first, second = rt.summary.Writer(folder), rt.summary.Writer(folder)
    looking = EventAccumulator(str(folder), size_guidance={"tensors": 0})
    for step in range(3):
        first.scalar("a", step, step)
        second.scalar("b", step, step)
        if step == 1:
            rt.summary.graph(folder, squared, 2.0)
        looking.Reload()
    assert [len(looking.Tensors(tag)) for tag in ("a", "b")] == [3, 3]
    first.close()
    with pytest.raises(ValueError, match="is closed"):
        first.scalar("a", 3.0)
    second.scalar("b", 3.0)
    second.close()
    with rt.summary.Writer(folder) as third:
        third.scalar("c", 1.0)
    looking.Reload()
    assert [len(looking.Tensors(tag)) for tag in ("a", "b", "c")] == [3, 4, 1]


def test_threads_that_write_into_one_folder_lose_nothing(folder):
    def write(name):
        with rt.summary.Writer(folder) as writer:
            for step in range(50):
                writer.scalar(name, step, step)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, "abcdefgh"))
    expected = [(step, float(step)) for step in range(50)]
    assert numbers(folder) == dict.fromkeys("abcdefgh", expected)


def test_a_writer_of_a_folder_that_was_removed_makes_it_again(folder):
    old = rt.summary.Writer(folder)
    shutil.rmtree(folder)
    with rt.summary.Writer(folder) as writer:
        writer.scalar("x", 1.0)
    assert numbers(folder) == {"x": [(0, 1.0)]}
    old.close()


def test_a_histogram_counts_the_elements_in_bins(folder):
    values = np.array([[0.0, 0.5], [3.0, 3.0]])
    with rt.summary.Writer(folder) as writer:
        writer.histogram("w", values)
        writer.histogram("w", [2, 2])
    (_, bins), (_, same) = written(folder)["w"]
    assert bins.shape == (30, 3) and bins[0, 0] == 0.0 and bins[-1, 1] == 3.0
    assert bins[:, 2].nonzero()[0].tolist() == [0, 5, 29] and bins[29, 2] == 2
    assert same[-1].tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_histogram_of_nan_is_an_error_that_says_how_many(folder, wrong):
    with rt.summary.Writer(folder) as writer:
        with pytest.raises(ValueError, match="'w' has 1 of 2 elements that are NaN or infinite"):
            writer.histogram("w", [1.0, wrong])


PICTURES = {
    "grey": (np.array([[0.0, 1.0, 2.0], [0.5, np.nan, -1.0]]), "L", [0, 255, 255, 128, 0, 0]),
    "bool": (np.array([[True, False]]), "L", [255, 0]),
    "bytes": (np.array([[[7, 8, 9]]], np.uint8), "RGB", [(7, 8, 9)]),
    "opacity": (np.array([[[7, 8, 9, 10]]], np.uint8), "RGBA", [(7, 8, 9, 10)]),
    "grey and opacity": (np.array([[[7, 8]]], np.uint8), "LA", [(7, 8)]),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_have_the_pixels_of_the_array(folder, name):
    pixels, mode, expected = PICTURES[name]
    with rt.summary.Writer(folder) as writer:
        writer.image("p", pixels)
    ((_, found),) = written(folder)["p"]
    width, height, png = found.tolist()
    picture = Image.open(io.BytesIO(png))
    assert (int(width), int(height)) == picture.size == pixels.shape[1::-1]
    assert picture.mode == mode
    rows = [picture.getpixel((x, y)) for y in range(picture.height) for x in range(picture.width)]
    assert rows == expected


def test_several_pictures_are_one_summary(folder):
    with rt.summary.Writer(folder) as writer:
        writer.image("p", np.zeros((3, 4, 5, 1)))
    ((_, found),) = written(folder)["p"]
    assert found[:2].tolist() == [b"5", b"4"] and len(found) == 5


def test_texts_are_kept(folder):
    with rt.summary.Writer(folder) as writer:
        writer.text("t", "*so* far")
    assert written(folder)["t"][0][1].item() == b"*so* far"


@pytest.mark.parametrize(
    "kind, value, message",
    [
        ("scalar", np.ones(3), r"the scalar 'n' takes a real number, not float64\[3\]"),
        ("scalar", 1j, "the scalar 'n' takes a real number, not complex128"),
        ("histogram", [1j], "the histogram 'n' takes real numbers, not complex128"),
        ("image", np.ones(3), r"the image 'n' takes \[h, w\].*, not float64\[3\]"),
        ("image", np.ones((2, 2, 5)), "the image 'n' takes"),
        ("image", np.ones((2, 2), int), "the image 'n' takes floats, bools or u8, not int64"),
        ("text", 3, "the text 'n' is a string, not int"),
    ],
)
def test_values_that_do_not_fit_are_errors_that_name_the_summary(folder, kind, value, message):
    with rt.summary.Writer(folder), pytest.raises(ValueError, match=message):
        getattr(rt.summary, kind)("n", value)


def test_a_name_belongs_to_one_kind_of_summaries(folder):
    with rt.summary.Writer(folder) as writer:
        writer.scalar("x", 1.0)
        with pytest.raises(
            ValueError,
            match="'x' is the name of two kinds of summaries in .*: scalar and histogram",
        ):
            writer.histogram("x", [1.0])


# -- in graphs -------------------------------------------------------------------------------------


@rt.function
def halved(x):
    steps = 0
    while np.sum(x) > 1.0:
        if x[0] > 2.0:
            x = x / 4.0
            rt.summary.scalar("large", x[0], steps)
        else:
            x = x / 2.0
        rt.summary.scalar("sum", np.sum(x), step=steps)
        steps += 1
    return x


def halved_plainly(x):
    return halved.__wrapped__(x)


@pytest.mark.parametrize("engine", ["numpy", "native", "eager"])
def test_a_graph_writes_as_the_python_function_does(tmp_path, engine):
    for name, fn in {
        "graph": rt.function(halved_plainly, engine=engine),
        "plain": halved_plainly,
    }.items():
        with rt.summary.Writer(tmp_path / name):
            for first in (8.0, 1.0):
                fn(np.array([first, 1.0]))
    expected = {
        "large": [(0, 2.0)],
        "sum": [(0, 2.25), (1, 1.125), (2, 0.5625), (0, 1.0)],
    }
    assert numbers(tmp_path / "graph") == numbers(tmp_path / "plain") == expected


def test_one_graph_serves_several_writers_and_none(tmp_path):
    fn = rt.function(lambda x: (rt.summary.scalar("x", x), x + 1)[1])
    fn(np.float64(0))
    for name in ("a", "b"):
        with rt.summary.Writer(tmp_path / name):
            fn(np.float64(1))
    assert len(fn.graphs) == 1
    assert numbers(tmp_path / "a") == numbers(tmp_path / "b") == {"x": [(0, 1.0)]}


def test_a_writer_that_a_function_reads_is_the_one_that_is_written_to(tmp_path):
    writer = rt.summary.Writer(tmp_path / "read")

    @rt.function
    def fn(x):
        for i in range(3):
            writer.scalar(f"x/{i}", x[i], step=i)
        writer.scalar("constant", 7)
        return x

    with rt.summary.Writer(tmp_path / "current"):
        fn(np.arange(3.0))
        fn(np.arange(3.0))
    assert len(fn.graphs) == 1
    assert numbers(tmp_path / "current") == {}
    assert numbers(tmp_path / "read") == {
        "x/0": [(0, 0.0)] * 2,
        "x/1": [(1, 1.0)] * 2,
        "x/2": [(2, 2.0)] * 2,
        "constant": [(0, 7.0), (1, 7.0)],
    }
    writer.close()


def test_a_variable_is_written_as_it_is_then(folder):
    total = rt.Variable(np.zeros(2))

    @rt.function
    def add(x):
        rt.summary.scalar("before", np.sum(total))
        total.assign_add(x)
        rt.summary.scalar("after", np.sum(total))

    with rt.summary.Writer(folder):
        add(np.ones(2))
        add(np.ones(2))
    assert numbers(folder) == {"before": [(0, 0.0), (1, 2.0)], "after": [(0, 2.0), (1, 4.0)]}


def squared(x):
    rt.summary.scalar("sum", np.sum(x))
    return np.sum(x * x)


TRANSFORMED = {
    "grad": lambda: rt.grad(squared),
    "checkpoint": lambda: rt.grad(rt.checkpoint(squared)),
    "hessian": lambda: rt.hessian(squared),
    "jvp": lambda: lambda x: rt.jvp(squared, (x,), (x,)),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_a_derivative_writes_once_in_the_forward_computation(folder, name):
    fn = rt.function(TRANSFORMED[name]())
    with rt.summary.Writer(folder):
        fn(np.array([1.0, 2.0]))
    assert numbers(folder) == {"sum": [(0, 3.0)]}


def test_a_batch_writes_for_each_element_in_order(folder):
    with rt.summary.Writer(folder):
        rt.function(rt.vmap(squared))(np.arange(6.0).reshape(3, 2))
    assert numbers(folder) == {"sum": [(0, 1.0), (1, 5.0), (2, 9.0)]}


def test_a_batch_whose_summaries_would_be_in_another_order_is_refused(folder):
    def twice(x):
        rt.summary.scalar("a", np.sum(x))
        rt.summary.scalar("b", np.sum(x))
        return x

    with rt.summary.Writer(folder):
        with pytest.raises(rt.errors.BatchError, match="rt.summary.scalar is called for each"):
            rt.function(rt.vmap(twice))(np.ones((3, 2)))
    assert numbers(folder) == {}


@pytest.mark.parametrize("in_branch", [False, True])
@pytest.mark.parametrize("act", ["made", "entered", "closed", "given a graph"])
def test_a_graph_cannot_open_or_close_a_writer(tmp_path, in_branch, act):
    writer = rt.summary.Writer(tmp_path / "a")

    def acting(x):
        if act == "made":
            rt.summary.Writer(tmp_path / "b")
        elif act == "entered":
            with writer.as_default():
                rt.summary.scalar("x", np.sum(x))
        elif act == "closed":
            writer.close()
        else:
            writer.graph(halved, x)

    @rt.function
    def fn(x):
        if not in_branch or np.sum(x) > 0:
            acting(x)
        return x

    with pytest.raises(rt.errors.EffectError, match=f"is {act} while the graph is being built"):
        fn(np.ones(2))
    assert not (tmp_path / "b").exists()
    writer.scalar("open", 1.0)
    writer.close()


def test_a_graph_with_summaries_cannot_be_saved(tmp_path):
    concrete = halved.get_concrete_function(np.ones(2))
    with pytest.raises(Exception, match="rt.summary.scalar") as caught:
        rt.save(tmp_path / "saved", concrete)
    assert type(caught.value).__name__ == "SaveError" and "test_summaries.py" in str(caught.value)


def test_an_error_of_a_summary_ends_the_run_at_the_users_line(folder):
    @rt.function
    def wrong(x):
        rt.summary.scalar("x", x)
        return x

    with rt.summary.Writer(folder):
        with pytest.raises(ValueError, match="the scalar 'x' takes a real number"):
            wrong(np.ones(2))
