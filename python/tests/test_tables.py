"""Tables against the definitions, and what can be asked of them."""

import json
import os
import random
from itertools import combinations_with_replacement

import numpy as np
import pytest

import nimwave
from brute_force import minnie_options, values, wythoff_options


def is_mapped_from(array, folder):
    """Whether the memory of the array is a mapped file of the folder, as the system says."""
    address = array.__array_interface__["data"][0]
    with open("/proc/self/maps") as lines:
        for line in lines:
            first, last = (int(part, 16) for part in line.split()[0].split("-"))
            if first <= address < last:
                return os.path.realpath(folder) in line
    return False


@pytest.mark.parametrize("misere", [False, True])
def test_values_are_those_of_the_definition(misere):
    table = nimwave.solve("minnie", heaps=3, max=14, misere=misere)
    assert table.array.tolist() == values(minnie_options, 3, 14, misere)
    assert table.game.misere == misere


def test_outcomes_are_unpacked_on_request():
    table = nimwave.solve("wythoff", heaps=2, max=20, values=False)
    expected = [value == 0 for value in values(wythoff_options, 2, 20)]
    assert table.outcomes.dtype == np.bool_ and table.outcomes.tolist() == expected
    assert table.array.dtype == np.uint8 and len(table.array) >= len(table) / 8
    assert not table.has_values
    assert nimwave.solve("wythoff", heaps=2, max=20).outcomes.tolist() == expected
    with pytest.raises(ValueError, match="values=True"):
        table.value([1, 2])


def test_the_array_is_the_file_and_no_copy(tmp_path):
    table = nimwave.solve("minnie", heaps=3, max=40, out=tmp_path / "m3")
    assert isinstance(table.array, np.memmap) and not table.array.flags.writeable
    assert is_mapped_from(table.array, tmp_path / "m3")
    assert (np.load(tmp_path / "m3" / "values.npy") == table.array).all()
    assert table.array is table.array


def test_a_table_without_a_folder_is_mapped_and_leaves_nothing_behind():
    table = nimwave.solve("minnie", heaps=2, max=30)
    folder, array = table.path, table.array
    assert is_mapped_from(array, folder)
    last = array[-1]
    del table
    assert not folder.parent.exists()
    assert array[-1] == last, "the array outlives its folder"


def test_rank_and_unrank_are_inverse_and_in_order():
    table = nimwave.solve("minnie", heaps=3, max=9)
    positions = list(combinations_with_replacement(range(10), 3))
    assert list(table.positions()) == positions
    assert [table.rank(position) for position in positions] == list(range(len(table)))
    assert table.ranks(positions).tolist() == list(range(len(table)))
    assert table.rank([7, 0, 2]) == table.rank("2 7") == table.rank(np.array([2, 7])) == table.ranks([7, 0, 2])
    with pytest.raises(ValueError, match="0 to 219"):
        table.unrank(220)
    with pytest.raises(ValueError, match="at most 9"):
        table.rank([10])
    with pytest.raises(ValueError, match="0 to 9"):
        table.ranks([[0, 1, 10]])


def test_positions_have_values_outcomes_and_winning_moves():
    table = nimwave.solve("minnie", heaps=3, max=12)
    known = dict(zip(combinations_with_replacement(range(13), 3), values(minnie_options, 3, 12)))
    for position in random.Random(56).sample(sorted(known), 60):
        assert table.value(position) == known[position]
        assert table.outcome(position) == ("P" if known[position] == 0 else "N")
        padded = ((0,) * (3 - len(option)) + option for option in minnie_options(position))
        winning = {tuple(heap for heap in option if heap) for option in padded if known[option] == 0}
        assert set(table.winning_moves(position)) == winning
    assert table.query([3, 5, 7]).source == "a table"


@pytest.mark.parametrize("has_values", [False, True])
def test_a_matrix_has_two_free_heaps(has_values):
    table = nimwave.solve("minnie", heaps=3, max=11, values=has_values)
    matrix = table.matrix(4)
    assert matrix.shape == (12, 12) and (matrix == matrix.T).all()
    for row, column in [(0, 0), (3, 9), (11, 4), (11, 11)]:
        position = [4, row, column]
        expected = table.value(position) if has_values else table.outcome(position) == "P"
        assert matrix[row, column] == expected
    with pytest.raises(ValueError, match="give 1 heaps"):
        table.matrix()


def test_verify_is_a_proof_that_goes_into_the_manifest(tmp_path):
    table = nimwave.solve("mine", heaps=3, max=20, out=tmp_path / "t")
    verdict = table.verify()
    assert verdict.passed and verdict and verdict.kind == "full" and verdict.coverage == 1
    assert table.manifest["verifications"][-1]["verdict"] == "passed"
    assert table.verify(sample=10).entries == 10
    assert len(table) == table.manifest["entries"] == len(table.array)


def test_verify_finds_damage(tmp_path):
    table = nimwave.solve("minnie", heaps=2, max=50, out=tmp_path / "t")
    with open(tmp_path / "t" / "values.npy", "r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last[0] ^ 1]))
    verdict = table.verify()
    assert not verdict and "damaged" in verdict.failure
    with pytest.raises(OSError, match="damaged"):
        nimwave.open(tmp_path / "t").value([50, 50])


def test_a_folder_is_opened_and_a_complete_one_is_not_computed_again(tmp_path):
    first = nimwave.solve("wynnie", heaps=3, max=15, together="all", out=tmp_path / "w")
    again = nimwave.solve("wynnie", heaps=3, max=15, together="all", out=tmp_path / "w")
    opened = nimwave.open(str(tmp_path / "w"))
    assert first.manifest == again.manifest == opened.manifest
    assert opened.game.name == "wynnie" and json.loads(opened.game.parameters())["together"] == "all"
    assert "wynnie" in repr(opened)
    with pytest.raises(ValueError, match="another|other|different|holds"):
        nimwave.solve("wynnie", heaps=3, max=16, together="all", out=tmp_path / "w")


def test_a_slice_has_the_positions_with_small_smallest_heaps():
    whole = nimwave.solve("minnie", heaps=3, max=20)
    part = nimwave.solve("minnie", heaps=3, max=20, smallest=2)
    assert len(part) < len(whole) and (part.array == whole.array[: len(part)]).all()
    with pytest.raises(ValueError, match="smallest"):
        part.ranks([3, 3, 3])


def test_a_rule_in_one_line_is_a_game():
    minnie = nimwave.rule("take s from one heap where s <= min")
    table = nimwave.solve(minnie, heaps=3, max=12)
    assert (table.array == nimwave.solve("minnie", heaps=3, max=12).array).all()
    assert table.verify().passed
    assert nimwave.query(minnie, [5, 5, 11]).outcome == "P"
    misere = nimwave.rule("take s from one heap where s <= min", misere=True)
    assert nimwave.query(misere, [1]).outcome == "P"


def test_a_sequence_is_a_table_that_grows(tmp_path):
    table = nimwave.solve("0.6", terms=1000, out=tmp_path / "s")
    assert (table.array == nimwave.octal("0.6", 1000)).all()
    longer = nimwave.solve("octal", code="0.6", terms=2000, out=tmp_path / "s")
    assert len(longer) == 2000 and (longer.array[:1000] == nimwave.octal("0.6", 1000)).all()
    assert longer.rank(77) == 77 and longer.unrank(77) == (77,)
    assert longer.value([5, 6]) == int(longer.array[5]) ^ int(longer.array[6])
