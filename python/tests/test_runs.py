"""Long runs: Ctrl-C, limits, progress, errors."""

import ast
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import nimwave
from nimwave import _core, _progress

# A table that takes minutes. The generic kernel of a written rule is slow.
LONG = "nimwave.solve(nimwave.rule('take s from one or two heaps where s in heaps'), heaps=4, max=150{})"


@pytest.mark.parametrize(
    "call",
    [
        LONG.format(""),
        LONG.format(", out='kept'"),
        "nimwave.octal('0.007', 10**8)",
        "nimwave.period('0.007', 10**8)",
        "nimwave.query(nimwave.rule('take s from one or two heaps where s in heaps'), [100] * 4, time=1000)",
        "nimwave.prove('jennifer', heaps=3)",
    ],
)
def test_ctrl_c_ends_a_long_call_soon(call, tmp_path):
    code = f"""
import nimwave, time
print("begins", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path
    )
    try:
        assert child.stdout.readline() == "begins\n"
        time.sleep(1)
        assert child.poll() is None, "the call is too short for this test"
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out == "interrupted\n" and child.returncode == 0
    left = [path.name for path in tmp_path.iterdir()]
    assert left == (["kept"] if "kept" in call else []), "a temporary folder is left"
    if left:
        manifest, journal = tmp_path / "kept" / "manifest.json", tmp_path / "kept" / "journal"
        assert json.loads(manifest.read_text())["state"] == "partial" and journal.read_text().strip()


def test_ctrl_c_arrives_within_a_second_or_two_also_where_a_large_table_is_kept(tmp_path):
    code = """
import nimwave, time
print("begins", flush=True)
try:
    nimwave.solve("minnie", heaps=4, max=250, out="kept", threads=1)
except KeyboardInterrupt:
    print(time.time(), flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert child.stdout.readline() == "begins\n"
        deadline = time.time() + 60
        while not (tmp_path / "kept" / "manifest.json").exists():
            assert child.poll() is None and time.time() < deadline
            time.sleep(0.01)
        time.sleep(0.3)
        sent = time.time()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=120)
    finally:
        child.kill()
    # A second of patience, and what a busy machine takes to wake a thread.
    assert float(out) - sent < 4
    assert json.loads((tmp_path / "kept" / "manifest.json").read_text())["state"] == "partial"
    with pytest.raises(nimwave.Interrupted):
        nimwave.solve("minnie", heaps=4, max=250, out=tmp_path / "kept", time=0.0)


def test_what_is_finished_is_kept_and_the_same_call_resumes(tmp_path):
    job = dict(heaps=3, max=60, out=tmp_path / "t")
    game = nimwave.rule("take s from one or two heaps where s in heaps")
    with pytest.raises(nimwave.Interrupted, match="of .* done"):
        for _ in range(1000):
            nimwave.solve(game, time=0.0, **job)
    with pytest.raises(ValueError, match="not finished"):
        nimwave.open(tmp_path / "t")
    resumed = nimwave.solve(game, **job)
    assert (resumed.array == nimwave.solve(game, heaps=3, max=60).array).all()


def test_other_threads_run_while_a_table_is_solved():
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    game = nimwave.rule("take s from one or two heaps where s in heaps")
    nimwave.solve(game, heaps=3, max=60, threads=1)
    during = len(ticks) - before
    stop.set()
    thread.join()
    assert during > 10


def test_a_function_is_told_the_progress_and_its_exception_stops_the_run(tmp_path):
    told = []
    game = nimwave.rule("take s from one or two heaps where s in heaps")
    nimwave.solve(game, heaps=3, max=70, progress=lambda *said: told.append(said))
    dones = [done for done, _, _ in told]
    assert told and dones == sorted(dones) and dones[-1] == told[-1][1] == 62196
    table = nimwave.solve("minnie", heaps=3, max=150)
    told.clear()
    table.verify(progress=lambda *said: told.append(said))
    assert told[-1][1] == len(table)

    class Enough(Exception):
        pass

    def enough(*_):
        raise Enough

    with pytest.raises(Enough):
        eval(LONG.format(", progress=enough"), {"nimwave": nimwave, "enough": enough})


@pytest.mark.parametrize("has_tqdm", [False, True])
def test_progress_is_shown_by_tqdm_or_as_text(capsys, monkeypatch, has_tqdm):
    shown = []

    class Bar:
        def __init__(self, **options):
            shown.append(options["desc"])

        def __bool__(self):
            raise TypeError("a bar without a length has no truth value")

        def refresh(self):
            shown.append((self.n, self.total))

        def set_postfix_str(self, text, refresh):
            pass

        def close(self):
            shown.append("closed")

    monkeypatch.setattr(_progress, "_tqdm", lambda title: Bar(desc=title) if has_tqdm else None)
    with _progress.Display("solve minnie", True) as display:
        display.limits(None, None, None).progress(1, 4, "")
    text = capsys.readouterr().err
    if has_tqdm:
        assert shown == ["solve minnie", (1, 4), (4, 4), "closed"] and not text
    else:
        assert "\rsolve minnie:  25.0%" in text and text.split()[-1] == "done" and text.endswith("\n")
    assert _progress.Display("", False).limits(None, None, None).progress is None


def test_usage_errors_are_value_errors_with_the_remedy():
    with pytest.raises(ValueError, match="did you mean 'jennifer'"):
        nimwave.solve("jenifer", heaps=3, max=5)
    with pytest.raises(ValueError, match="'together' is not a parameter of minnie"):
        nimwave.solve("minnie", heaps=3, max=5, together="all")
    with pytest.raises(ValueError, match="needs heaps= and max="):
        nimwave.solve("minnie", heaps=3)
    with pytest.raises(ValueError, match="needs terms="):
        nimwave.solve("0.6", heaps=3, max=4)
    with pytest.raises(ValueError, match="heaps=9: a position of rook has at most 2 heaps"):
        nimwave.solve("rook", heaps=9, max=4)
    with pytest.raises(ValueError, match="column|expected|where"):
        nimwave.rule("take s from where")
    with pytest.raises(ValueError, match="threads=0"):
        nimwave.octal("0.6", 10, threads=0)
    with pytest.raises(ValueError, match="seconds"):
        nimwave.octal("0.6", 10, time=-1)
    with pytest.raises(ValueError, match="already"):
        nimwave.query(nimwave.game("nim"), [1], misere=True)
    with pytest.raises(ValueError):
        nimwave.query("minnie", "three")
    with pytest.raises(TypeError):
        nimwave.query("minnie", [1.5])


def test_files_and_limits_have_exceptions_of_their_own(tmp_path):
    with pytest.raises(FileNotFoundError):
        nimwave.open(tmp_path / "absent")
    with pytest.raises(ValueError, match="not a nimwave table"):
        nimwave.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        nimwave.solve("minnie", heaps=2, max=5, out=tmp_path / "file" / "t")
    with pytest.raises(MemoryError, match="disk"):
        nimwave.solve("minnie", heaps=6, max=2000, out=tmp_path / "t")
    with pytest.raises(MemoryError, match="memory="):
        nimwave.octal("0.6", 10**6, memory=1000)
    assert issubclass(nimwave.Interrupted, Exception) and issubclass(nimwave.Undecided, Exception)


def test_a_forked_process_solves_and_leaves_its_parents_tables():
    table = nimwave.solve("minnie", heaps=2, max=10)
    child = os.fork()
    if child == 0:
        same = (nimwave.solve("minnie", heaps=2, max=10).array == table.array).all()
        del table
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert table.path.exists()


def test_the_stubs_name_what_the_compiled_module_has():
    stub = ast.parse((Path(nimwave.__file__).parent / "_core.pyi").read_text())

    def public(names):
        return {name for name in names if not name.startswith("_")}

    defined = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert public(defined) == public(vars(_core))
    for name in ("Game", "Table"):
        methods = {node.name for node in defined[name].body if isinstance(node, ast.FunctionDef)}
        assert public(methods) == public(vars(getattr(_core, name)))
    assert (Path(nimwave.__file__).parent / "py.typed").exists()


def test_the_examples_of_the_package_work():
    import doctest

    failed, tried = doctest.testmod(nimwave)
    assert tried > 5 and failed == 0
