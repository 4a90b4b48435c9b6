"""A process that is killed while it saves leaves the old file or the new one."""

import subprocess
import sys
import textwrap

import pytest

# Forks a writer, which saves one version after the other until it is killed, and reads the file.
SCRIPT = textwrap.dedent(
    """
    import os, random, signal, sys, time
    import numpy as np
    import runtime as rt

    PATHS = {"file": "program.zip", "directory": "program", "checkpoint": "steps"}

    class Model:
        def __init__(self):
            self.one = rt.Variable(np.zeros(20_000))
            self.other = rt.Variable(np.zeros(3))

        @rt.function
        def sums(self, x):
            return self.one[-1] + x, self.other[-1] + x, np.sum(self.one - self.one[0])

    model = Model()
    model.sums(0.5)
    saved = rt.Checkpoint(model=model)

    def write(kind, version):
        model.one.assign(np.full(20_000, float(version)))
        model.other.assign(np.full(3, float(version)))
        if kind == "checkpoint":
            saved.save(PATHS[kind], step=version, keep=2)
        else:
            rt.save(PATHS[kind], model)

    def read(kind):
        if kind == "checkpoint":
            saved.restore(PATHS[kind])
            return model.sums(0.5)
        return rt.load(PATHS[kind]).sums(0.5)

    def kill_writers(kind, count, chance):
        for version in (0, 1):
            start = time.monotonic()
            write(kind, version)
        span = 2 * (time.monotonic() - start)
        for _ in range(count):
            begun, done = os.pipe()
            writer = os.fork()
            while writer == 0:
                version += 1
                write(kind, version)
                os.write(done, b"x")
            os.close(done)
            assert os.read(begun, 1), "the writer failed"  # it has written once, and goes on
            os.close(begun)
            time.sleep(chance.uniform(0.0, span))
            os.kill(writer, signal.SIGKILL)
            os.waitpid(writer, 0)
            one, other, rest = read(kind)
            assert one == other and rest == 0.0 and one - 0.5 >= version, (kind, one, other, rest)
            version = int(one - 0.5)
        print(kind, version)

    for kind in PATHS:
        kill_writers(kind, int(sys.argv[1]), random.Random(1))
    """
)


# A disk that is full in the middle of a file, as far as one process is concerned: no file may have
# more bytes than a limit.
FULL_DISK = textwrap.dedent(
    """
    import os, resource, signal
    import numpy as np
    import runtime as rt

    values = rt.Variable(np.zeros(20_000))

    @rt.function
    def total(x):
        return np.sum(values) + x

    def write():
        rt.save("program.zip", total)
        rt.save("program", total)
        rt.Checkpoint(values=values).save("steps", step=1)

    total(0.5)
    write()
    values.assign(np.ones(20_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
    for kind in ("program.zip", "program", "steps"):
        try:
            if kind == "steps":
                rt.Checkpoint(values=values).save("steps", step=2)
            else:
                rt.save(kind, total)
        except OSError:
            print(kind, end=" ")
    assert sorted(os.listdir()) == ["full.py", "program", "program.zip", "steps"], os.listdir()
    assert os.listdir("steps") == ["step_0000000001.zip"]
    assert rt.load("program.zip")(0.5) == rt.load("program")(0.5) == 0.5
    assert rt.Checkpoint(values=values).restore("steps") == 1 and total(0.5) == 0.5
    """
)


def test_a_disk_that_is_full_in_the_middle_of_a_file_leaves_the_old_one(tmp_path):
    if sys.platform != "linux":
        pytest.skip("the sizes of files are limited on Linux")
    script = tmp_path / "full.py"
    script.write_text(FULL_DISK)
    ran = subprocess.run(
        [sys.executable, str(script)], capture_output=True, cwd=tmp_path, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["program.zip", "program", "steps"]


def last_versions(count, folder):
    """The last version of each kind of file, after `count` of its writers were killed."""
    if sys.platform != "linux":
        pytest.skip("processes are forked, and directories exchanged, on Linux")
    script = folder / "writers.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(count)]
    ran = subprocess.run(command, capture_output=True, cwd=folder, text=True)
    assert ran.returncode == 0, ran.stderr
    return {kind: int(version) for kind, version in map(str.split, ran.stdout.splitlines())}


def test_a_killed_writer_leaves_the_old_program_or_the_new_one(tmp_path):
    found = last_versions(6, tmp_path)
    assert set(found) == {"file", "directory", "checkpoint"} and min(found.values()) > 6


@pytest.mark.thorough
def test_a_hundred_killed_writers_leave_the_old_program_or_the_new_one(tmp_path):
    assert min(last_versions(100, tmp_path).values()) > 100
