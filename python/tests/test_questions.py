"""Sequences, periods, theorems and single positions."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nimwave
from brute_force import octal_values

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.mark.parametrize("code, digits", [("0.77", [7, 7]), ("0.6", [6]), ("0.137", [1, 3, 7]), ("0.33", [3, 3])])
def test_sequences_are_those_of_the_definition(code, digits):
    found = nimwave.octal(code, 400)
    assert found.dtype in (np.uint8, np.uint16) and found.tolist() == octal_values(digits, 400)


def test_a_sequence_belongs_to_the_caller():
    found = nimwave.octal("kayles", 50)
    found[0] = 7
    assert found[0] == 7 and nimwave.octal("kayles", 50)[0] == 0


def test_a_period_is_proved_with_a_certificate_that_others_check(tmp_path):
    found = nimwave.period("0.77")
    assert (found.preperiod, found.period, found.proved) == (71, 12, True)
    assert "period 12 from heap 71 on" in str(found)
    values = nimwave.octal("0.77", 500)
    assert (values[71 + 12 :] == values[71:-12]).all() and values[70 + 12] != values[70]
    check(tmp_path, "check_period.py", found.certificate)


def test_what_is_not_proved_has_no_period():
    found = nimwave.period("0.6", terms=5000)
    assert not found.proved and found.period is None and found.certificate is None and found.terms == 5000


def test_theorems_come_with_words_and_certificates(tmp_path):
    minnie = nimwave.prove("minnie")
    assert minnie.proved and "121 classes" in minnie.text and str(minnie).startswith("THEOREM")
    assert minnie.certificate["format"].startswith("nimwave")
    quotient = nimwave.prove("0.123", misere=True)
    assert quotient.proved and "20 classes" in quotient.text
    check(tmp_path, "check_certificate.py", quotient.certificate)
    automaton = nimwave.prove(nimwave.rule("take s from one heap"), heaps=2)
    assert automaton.proved and "automaton with 2 states" in automaton.text
    check(tmp_path, "check_automaton.py", automaton.certificate)
    kayles = "take s from one heap where s <= 2 or take s from one heap, split the rest into a, b where s <= 2"
    period = nimwave.prove(nimwave.rule(kayles))
    assert period.proved and "0.77: period 12" in period.text
    check(tmp_path, "check_period.py", period.certificate)
    gaps = nimwave.prove("greedy-nim", heaps=3)
    assert gaps.proved and "gaps" in gaps.text and gaps.certificate is None


def check(folder, script, certificate):
    """Checks a certificate by the program that shares no code with the library."""
    (folder / "certificate.json").write_text(json.dumps(certificate))
    command = [sys.executable, SCRIPTS / script, folder / "certificate.json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_single_positions_are_answered():
    answer = nimwave.query("minnie", [5, 5, 8, 12])
    assert (answer.outcome, answer.value) == ("N", 8)
    assert answer.winning_moves == [(1, 5, 8, 12), (5, 5, 8, 11)]
    assert nimwave.query("nim", "1 2 3").outcome == "P"
    assert nimwave.query("0.77", [3, 4, 5]).value == 3 ^ 1 ^ 4
    assert nimwave.query("wynnie", [1, 1, 1], together="all").outcome == "N"


def test_heaps_of_any_size_are_answered_from_theorems():
    large = 10**30
    answer = nimwave.query("mine", [4, large, large + 7])
    assert answer.position == (4, large, large + 7) and answer.theorem
    assert nimwave.query("minnie", [10**18, 999999999999, 5, 77]).source == "the proved quotient"


def test_every_game_of_the_catalogue_is_listed():
    entries = {entry.name: entry for entry in nimwave.games()}
    assert {"minnie", "nim", "wythoff", "octal", "cookie"} <= entries.keys()
    assert entries["minnie"].on_heaps and not entries["cookie"].on_heaps
    assert "smallest" in entries["minnie"].moves
    game = nimwave.game("euclid", to_zero=True)
    assert game.name == "euclid" and json.loads(game.parameters())["to-zero"] and "euclid" in repr(game)
