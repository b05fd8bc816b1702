"""The endless stream of training lines: their content, difficulty and batches.

The stream is divided into pools. Pool k depends only on the seed and k (content, difficulty, order),
so the position in the data is the pair (pool, batch) and a resumed run sees exactly the next batch.
"""

import random
from typing import NamedTuple

import cv2
import numpy as np

from drawing.copying import copied
from drawing.exercises import exercise, textbook_formulas, varied
from drawing.formulas import Box, Formulas
from drawing.glyphs import Glyphs, ink_of_unit_height
from drawing.photo import paper_textures, phone_photograph
from drawing.render import ink_coverage, normalise, photograph
from settings import FRAME_PIXELS, LINE_HEIGHT, prepared_dir
from drawing.strokes import StrokeSet
from drawing.vocabulary import ACCENTED, LETTERS, PUNCTUATION, TYPOGRAPHIC, encode, tokens_of_text
from drawing.words import SCHOOL_WORDS

POOL_LINES = 256
#: Pixel columns in a batch, including padding; bounds memory and evens out the time per step.
BATCH_COLUMNS = 16000
MAX_BATCH = 64
#: Presentations over which the difficulty grows from short words to the full mixture.
RAMP_LINES = 250_000

#: Share of each kind at the start and at full difficulty.
_MIXTURE = {
    "word": (0.46, 0.12),
    "line": (0.08, 0.15),
    "joined": (0.06, 0.10),
    "formula": (0.22, 0.10),
    "textbook": (0.00, 0.16),
    "exercise": (0.00, 0.18),
    "labelled": (0.00, 0.10),
    "sentence": (0.00, 0.06),
    "letters": (0.18, 0.03),
}
#: Share of lines drawn as photographed by a phone; the others look like a scanner's or a tablet's.
_PHONE_SHARE = 0.6


class Sample(NamedTuple):
    """One line: normalised picture (64, width) uint8 and its tokens' indices."""

    picture: np.ndarray
    target: list


class Batch(NamedTuple):
    """pictures (n, 64, width) uint8 zero-padded; widths in pixels; targets end to end with their lengths."""

    pictures: np.ndarray
    widths: np.ndarray
    targets: np.ndarray
    lengths: np.ndarray


def frames_needed(target: list) -> int:
    """Fewest CTC frames that can spell the target: one per token and one between equal neighbours."""
    return len(target) + sum(a == b for a, b in zip(target, target[1:]))


def text_box(label: str) -> tuple:
    """(low, high) of a word's ink in em, from its ascenders and descenders."""
    if all(c in ".,_" for c in label):
        return -0.1, 0.1
    high = 0.85 if any(c in "bdfhklt!?()[]/\\'\"&%#$@" or c.isupper() or c.isdigit() for c in label) else 0.52
    high = max(high, 0.72 if any(c in "ij" for c in label) else high)
    return (-0.32 if any(c in "gjpqy,;()[]" for c in label) else 0.0), high


class LineStream:
    """Makes pools of training lines; holds all strokes in memory (about 200 MB)."""

    def __init__(self, seed: int, with_unipen: bool = True, ramp: int = RAMP_LINES):
        cv2.setNumThreads(1)
        self.seed = seed
        self.ramp = ramp
        self.glyphs = Glyphs("train", with_unipen=with_unipen)
        self.words = self.lines = None
        if with_unipen:
            self.words = StrokeSet.load(prepared_dir() / "words-train.npz")
            self.lines = StrokeSet.load(prepared_dir() / "lines-train.npz")
            self.line_order = sorted(range(len(self.lines)), key=lambda k: len(self.lines.labels[k]))
            self.words_of: dict = {}
            for k, writer in enumerate(self.words.writers):
                if any(c.isalpha() for c in self.words.labels[k]):
                    self.words_of.setdefault(writer, []).append(k)
        self.vocabulary_words = sorted(set(self.words.labels)) if self.words else _plain_words()
        self.school_words = [w for w in SCHOOL_WORDS if all(self.glyphs.has(c) for c in w + w[0].upper())]
        self.textbooks = textbook_formulas()
        self.textures = paper_textures()
        self.letters = [c for c in LETTERS + ACCENTED + TYPOGRAPHIC + PUNCTUATION.strip() if self.glyphs.has(c)]

    # -- content: each method returns (strokes, tokens), or None to try again

    def _word(self, rng: random.Random, level: float):
        k = rng.randrange(len(self.words))
        if level < 0.3 and len(self.words.labels[k]) > 9:
            return None
        return self.words.strokes(k), tokens_of_text(self.words.labels[k])

    def _line(self, rng: random.Random, level: float):
        reach = max(200, int(len(self.line_order) * min(1.0, 0.25 + level)))
        k = self.line_order[rng.randrange(reach)]
        return self.lines.strokes(k), tokens_of_text(self.lines.labels[k])

    def _formula(self, rng: random.Random, level: float):
        box = Formulas(self.glyphs, self.glyphs.hand(rng)).formula(level)
        return box.strokes, in_math(box.tokens)

    def _written_formula(self, formulas: Formulas, textbook_share: float) -> Box:
        """A formula as people write them: from a textbook, with other digits and letters, or an exercise."""
        rng = formulas.rng
        while True:
            of_textbook = bool(self.textbooks) and rng.random() < textbook_share
            try:
                return copied(formulas, varied(rng.choice(self.textbooks), rng) if of_textbook else exercise(rng))
            except (KeyError, ValueError):  # it has a sign that nobody has drawn
                continue

    def _textbook(self, rng: random.Random, level: float):
        box = self._written_formula(Formulas(self.glyphs, self.glyphs.hand(rng)), 1.0)
        return box.strokes, in_math(box.tokens)

    def _exercise(self, rng: random.Random, level: float):
        box = self._written_formula(Formulas(self.glyphs, self.glyphs.hand(rng)), 0.0)
        return box.strokes, in_math(box.tokens)

    def _sentence(self, rng: random.Random, level: float):
        """A few words in one hand, with one formula or two."""
        hand = self.glyphs.hand(rng)
        formulas = Formulas(self.glyphs, hand)
        strokes, tokens, x = [], [], 0.0
        for k in range(rng.randint(1, 2)):
            for _ in range(rng.randint(1, 3) if k == 0 else 1):
                word = rng.choice(self.school_words)
                if not tokens and rng.random() < 0.6:
                    word = word.capitalize()
                box = self._spelled(word + (":" if rng.random() < 0.15 else "," if rng.random() < 0.05 else ""), hand)
                strokes += box.placed(x, rng.gauss(0, 0.03))
                tokens += ([" "] if tokens else []) + box.tokens
                x += box.width + rng.uniform(0.3, 0.9)
            box = self._written_formula(formulas, 0.4)
            strokes += box.placed(x, rng.gauss(0, 0.05))
            tokens += [" ", *in_math(box.tokens)]
            x += box.width + rng.uniform(0.3, 0.9)
        return strokes, tokens

    def _spelled(self, text: str, hand) -> Box:
        formulas = Formulas(self.glyphs, hand)
        return formulas.letters(text)

    def _random_text(self, rng: random.Random) -> str:
        r = rng.random()
        if r < 0.3:
            return "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 5))) + rng.choice(["", "", "%", ".", ",", ":", ")"])
        if r < 0.45:
            return "".join(rng.choice(self.letters) for _ in range(rng.randint(1, 4)))
        if rng.random() < 0.35:
            word = rng.choice(self.school_words)
            return word.capitalize() if rng.random() < 0.2 else word
        word = rng.choice(self.vocabulary_words)
        if rng.random() < 0.5:
            word = "".join(_accented(c, rng) for c in word)
        return word if all(self.glyphs.has({"{": "\\{", "}": "\\}"}.get(c, c)) for c in word if c != " ") else "abc"

    def _letters(self, rng: random.Random, level: float):
        hand = self.glyphs.hand(rng)
        boxes, tokens = [], []
        for k in range(rng.randint(1, 1 + round(3 * level))):
            text = self._random_text(rng).replace(" ", "")
            box = Formulas(self.glyphs, hand).row([Formulas(self.glyphs, hand).symbol({"{": "\\{", "}": "\\}"}.get(c, c)) for c in text], 0.08)
            tokens += ([" "] if k else []) + (tokens_of_text(text) or [])
            boxes.append(box)
        return Formulas(self.glyphs, hand).row(boxes, 0.4).strokes, tokens

    def _labelled(self, rng: random.Random, level: float):
        """A question or step number, followed mostly by a formula, otherwise by words and a formula."""
        hand = self.glyphs.hand(rng)
        formulas = Formulas(self.glyphs, hand)
        number = str(rng.randint(1, 12)) if rng.random() < 0.85 else rng.choice("abcdef")
        r = rng.random()
        if r < 0.2 and number.isdigit():
            box = formulas.ringed(formulas.letters(number), [*number, ")"])
        else:
            box = formulas.letters(rng.choice(["{}.", "{}.", "{}.", "{})", "{})", "({})", "{}-", "{}-)", "{}-)", "{}.-", "{}°"]).format(number))
        strokes, tokens, x = list(box.strokes), list(box.tokens), box.width + rng.uniform(0.2, 1.4)
        if rng.random() < 0.3:
            for _ in range(rng.randint(1, 3)):
                word = self._random_text(rng).replace(" ", "")
                if set(word) & set("{}"):
                    continue
                box = self._spelled(word, hand)
                strokes += box.placed(x, 0)
                tokens += [" ", *box.tokens]
                x += box.width + rng.uniform(0.3, 0.8)
        box = self._written_formula(formulas, 0.3) if rng.random() < 0.7 else formulas.formula(rng.uniform(0, level))
        strokes += box.placed(x, rng.gauss(0, 0.08))
        return strokes, [*tokens, " ", *in_math(box.tokens)]

    def _joined(self, rng: random.Random, level: float):
        """Words of one contributor in a row, often with a formula among them."""
        hand = self.glyphs.hand(rng)
        formulas = Formulas(self.glyphs, hand)
        pool = self.words_of[rng.choice(list(self.words_of))] if self.words else None
        strokes, tokens, x = [], [], 0.0
        with_math = rng.random() < 0.65
        if rng.random() < 0.15:
            label = rng.choice(["1.", "2.", "3.", "4.", "5.", "6.", "7.", "8.", "9.", "10.", "a)", "b)", "c)", "(1)", "(a)", "-", "•"])
            box = self._spelled(label, hand)
            strokes, tokens, x = list(box.strokes), list(box.tokens), box.width + rng.uniform(0.3, 0.9)
        for k in range(rng.randint(2, 2 + round(5 * level))):
            if with_math and tokens[-1:] != ["\\)"] and rng.random() < 0.45:
                box = formulas.formula(rng.uniform(0, 0.5 * level))
                if box.high - box.low > 2.2:
                    continue
                piece, spelled = box.placed(x, 0), in_math(box.tokens)
                width = box.width
            elif pool is None or rng.random() < 0.1:
                text = self._random_text(rng).replace(" ", "")
                box = self._spelled(text, hand) if not set(text) & set("{}") else self._spelled("x", hand)
                piece, spelled, width = box.placed(x, 0), box.tokens, box.width
            else:
                index = rng.choice(pool)
                label = self.words.labels[index]
                low, high = text_box(label)
                scale = (high - low) * rng.uniform(0.92, 1.08)
                piece = [s * np.float32(scale) + np.float32([x, low]) for s in ink_of_unit_height(self.words, index)]
                spelled = tokens_of_text(label)
                width = max(float(s[:, 0].max()) for s in piece) - x
            x += width
            strokes += piece
            tokens += ([" "] if tokens else []) + spelled
            if rng.random() < 0.15:
                mark = rng.choice(",,,...:;?!)")
                box = formulas.symbol(mark)
                strokes += box.placed(x + 0.05, 0)
                tokens.append(mark)
                x += box.width + 0.05
            x += rng.uniform(0.28, 0.75)
        return (strokes, tokens) if strokes else None

    # -- pools

    def _kinds(self, level: float) -> tuple:
        shares = {k: a + (b - a) * level for k, (a, b) in _MIXTURE.items()}
        if not self.words:
            shares.pop("word"), shares.pop("line")
        return list(shares), list(shares.values())

    def sample(self, rng: random.Random, noise: np.random.Generator, level: float) -> Sample:
        """One line of the given difficulty (0 … 1)."""
        names, shares = self._kinds(level)
        while True:
            kind = rng.choices(names, shares)[0]
            written = getattr(self, f"_{kind}")(rng, level)
            if written is None or not written[1]:
                continue
            strokes, tokens = written
            target = encode(tokens)
            if len(target) > 30 + 70 * level:
                continue
            fill = (0.6, 0.98) if kind in ("formula", "textbook", "exercise") else (0.5, 0.97)
            if kind == "word":
                low, high = text_box("".join(tokens))
                fill = (0.5 * (high - low), 0.97)
            em = None if kind in ("word", "line") else 1.0
            cover = ink_coverage(strokes, rng, fill, FRAME_PIXELS * (frames_needed(target) + 1), em)
            if cover is not None:
                is_phone = rng.random() < _PHONE_SHARE * level
                picture = phone_photograph(cover, rng, noise, self.textures) if is_phone else photograph(cover, rng, noise)
                return Sample(normalise(picture), target)

    def pool(self, k: int) -> list:
        """Pool number k as batches."""
        rng = random.Random(f"{self.seed}/{k}")
        noise = np.random.default_rng([self.seed, k])
        level = min(1.0, k * POOL_LINES / self.ramp)
        made = [self.sample(rng, noise, level) for _ in range(POOL_LINES)]
        made.sort(key=lambda s: s.picture.shape[1])
        batches, current = [], []
        for sample in made:
            width = sample.picture.shape[1]
            if current and ((len(current) + 1) * width > BATCH_COLUMNS or len(current) == MAX_BATCH):
                batches.append(collate(current))
                current = []
            current.append(sample)
        batches.append(collate(current))
        rng.shuffle(batches)
        return batches


def in_math(tokens: list) -> list:
    """Formula tokens between `\\(` and `\\)`; bare letters and digits stay text, which no reader could distinguish."""
    if all(len(t) == 1 and (t.isalnum() or t in ".,") for t in tokens):
        return tokens
    return ["\\(", *tokens, "\\)"]


def collate(samples: list) -> Batch:
    """Joins samples into one zero-padded batch."""
    widths = np.array([s.picture.shape[1] for s in samples], np.int32)
    pictures = np.zeros((len(samples), LINE_HEIGHT, int(widths.max() + 31) // 32 * 32), np.uint8)
    for row, sample in zip(pictures, samples):
        row[:, : sample.picture.shape[1]] = sample.picture
    lengths = np.array([len(s.target) for s in samples], np.int32)
    return Batch(pictures, widths, np.concatenate([s.target for s in samples]).astype(np.int32), lengths)


_ACCENTS_OF: dict = {}


def _accented(letter: str, rng: random.Random) -> str:
    import unicodedata

    if not _ACCENTS_OF:
        for c in ACCENTED:
            _ACCENTS_OF.setdefault(unicodedata.normalize("NFD", c)[0], []).append(c)
    choices = _ACCENTS_OF.get(letter)
    return rng.choice(choices) if choices and rng.random() < 0.35 else letter


def _plain_words() -> list:
    """Words for runs without labelled ink: those of this folder's own documentation."""
    from pathlib import Path

    text = (Path(__file__).parent.parent / "README.md").read_text()
    return sorted({w.strip(".,;:()`*") for w in text.split()} - {""})
