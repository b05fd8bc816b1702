"""Quick checks of this folder: `python3 check.py` (a few seconds; needs the prepared strokes)."""

import random
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from drawing.copying import copied
from drawing.exercises import exercise, varied
from drawing.formulas import Formulas
from measuring.metrics import edit_distance, error_rate
from drawing.render import fit_height, normalise, plain
from drawing.samples import LineStream, frames_needed
from drawing.vocabulary import INDEX, RESERVED, TOKENS, decode, encode, parse_math, to_string, tokens_of_text


def vocabulary_round_trips() -> None:
    """Tokens are unique; text and formulas survive encoding and decoding."""
    assert len(set(TOKENS)) == len(TOKENS) and INDEX["<blank>"] == 0
    text = "Größe {a} costs 5 %, c'est ça…"
    tokens = tokens_of_text(text)
    assert to_string(tokens).replace("\\{", "{").replace("\\}", "}") == text
    assert decode([k for i in encode(tokens) for k in (i, i, 0)]) == tokens
    formula = ["\\frac{", "\\alpha", "x", "^{", "2", "}", "}{", "\\sqrt[", "3", "]{", "y", "}", "}", "\\leq", "\\{", "\\pi", "\\}"]
    assert parse_math(to_string(["\\(", *formula])[2:]) == formula
    assert sum(t.startswith("<reserved") for t in TOKENS) == RESERVED


def distances_are_right() -> None:
    """Edit distance on known cases; an error rate may exceed 1."""
    assert edit_distance("kitten", "sitting") == 3 and edit_distance("", "abc") == 3 and edit_distance("abc", "abc") == 0
    assert error_rate([("aaaa", "b")]) == 4.0


def formulas_carry_their_truth(stream: LineStream) -> None:
    """Every formula's truth is balanced, encodable, printable and parses back; its ink renders."""
    for k in range(300):
        box = Formulas(stream.glyphs, stream.glyphs.hand(random.Random(k))).formula(random.Random(k).random())
        encode(box.tokens)
        assert parse_math(to_string(["\\(", *box.tokens])[2:]) == box.tokens, box.tokens
        depth, waiting = 0, []
        for token in box.tokens:
            if token == "}{":
                assert waiting and waiting[-1] in ("\\frac{", "\\binom{")
            elif token == "]{":
                assert waiting[-1] == "\\sqrt["
            elif token.endswith("{") and token != "\\{" or token == "\\sqrt[":
                waiting.append(token)
            elif token == "}":
                waiting.pop()
        assert not waiting and depth == 0
        picture = plain(box.strokes)
        assert picture.shape[0] == 64 and picture.min() < 100


def given_formulas_become_ink(stream: LineStream) -> None:
    """A formula that is given, an exercise among them, is written with exactly its own tokens; the index comes first."""
    given = "\\frac{ - b \\pm \\sqrt{ 1 4 } }{ 2 a } = \\sum _{ k = 1 } ^{ n } ( x _{ k } ^{ 2 } + \\sin x )".split()
    rng = random.Random(5)
    for k in range(200):
        tokens = given if k == 0 else exercise(rng)
        box = copied(Formulas(stream.glyphs, stream.glyphs.hand(rng)), tokens)
        assert box.tokens == tokens, (box.tokens, tokens)
        assert plain(box.strokes).min() < 100
    swapped = ["x", "^{", "2", "}", "_{", "1", "}"]
    assert copied(Formulas(stream.glyphs, stream.glyphs.hand(rng)), swapped).tokens == ["x", "_{", "1", "}", "^{", "2", "}"]
    for wrong in (["\\frac{", "1", "}"], ["x", "}"], ["\\sqrt{", "}"]):
        try:
            copied(Formulas(stream.glyphs, stream.glyphs.hand(rng)), wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
    assert len(varied(given, rng)) == len(given)


def pools_repeat(stream: LineStream) -> None:
    """A pool depends only on its number, and every target fits its frames."""
    first, again = stream.pool(700), stream.pool(700)
    other = stream.pool(701)
    assert all(np.array_equal(a.pictures, b.pictures) and np.array_equal(a.targets, b.targets) for a, b in zip(first, again))
    assert not np.array_equal(first[0].targets, other[0].targets)
    for batch in first:
        at = 0
        for width, length in zip(batch.widths, batch.lengths):
            assert width % 4 == 0 and frames_needed(batch.targets[at : at + length].tolist()) <= width // 4
            at += length


def pictures_are_normalised() -> None:
    """Paper becomes 0 and ink 255 in any light; the height becomes 64 and the width a multiple of 4."""
    crop = np.full((90, 333), 150, np.uint8)
    crop[30:50, 100:120] = 60
    out = normalise(fit_height(crop))
    assert out.shape[0] == 64 and out.shape[1] % 4 == 0 and out[5, 5] == 0 and out.max() == 255


def resuming_is_exact() -> None:
    """A run stopped and resumed has the same weights, and reads the same next batch, as an uninterrupted one."""
    import os

    import torch

    from drawing.samples import collate
    from trainer import Trainer

    rng = np.random.default_rng(0)

    def batch():
        from drawing.samples import Sample

        return collate([Sample(rng.integers(0, 255, (64, 96), dtype=np.uint8), [5, 6, 7]) for _ in range(4)])

    batches = [batch() for _ in range(6)]
    options = SimpleNamespace(
        run="check", size="small", seed=3, without_unipen=False, rate=1e-3, lines=10**6, minutes=None, cooldown=0, init=None,
        device="cpu", threads=1, feeders=1, batch_scale=1,
    )  # fmt: skip
    before = os.environ.get("INKPROOF_TRAINING_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INKPROOF_TRAINING_DIR"] = folder
        try:
            one = Trainer(options)
            for b in batches[:3]:
                one._learn(b)
            one.pool, one.batch = 7, 2
            one.save()
            one.lock.close()
            two = Trainer(options)
            assert (two.pool, two.batch, two.step, two.lines) == (7, 2, 3, 12)
            state = torch.get_rng_state()
            losses = [float(one._learn(b)) for b in batches[3:]]
            torch.set_rng_state(state)
            assert [float(two._learn(b)) for b in batches[3:]] == losses
            assert (Path(folder) / "runs" / "check" / "last.pt").is_file()
        finally:
            os.environ.pop("INKPROOF_TRAINING_DIR")
            if before is not None:
                os.environ["INKPROOF_TRAINING_DIR"] = before


def main() -> None:
    """Runs all checks."""
    vocabulary_round_trips()
    distances_are_right()
    pictures_are_normalised()
    stream = LineStream(1)
    formulas_carry_their_truth(stream)
    given_formulas_become_ink(stream)
    pools_repeat(stream)
    resuming_is_exact()
    print("7 passed, 0 failed")


if __name__ == "__main__":
    main()
