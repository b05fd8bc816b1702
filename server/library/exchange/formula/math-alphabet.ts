/** Letters of Unicode's mathematical alphabets (block 1D400–1D7FF, and older ones that it omits). */

interface Alphabet {
  upper: number;
  lower: number;
  digits?: number;
}

const alphabets: Record<string, Alphabet> = {
  bold: { upper: 0x1d400, lower: 0x1d41a, digits: 0x1d7ce },
  italic: { upper: 0x1d434, lower: 0x1d44e },
  'bold-italic': { upper: 0x1d468, lower: 0x1d482 },
  script: { upper: 0x1d49c, lower: 0x1d4b6 },
  'bold-script': { upper: 0x1d4d0, lower: 0x1d4ea },
  fraktur: { upper: 0x1d504, lower: 0x1d51e },
  'double-struck': { upper: 0x1d538, lower: 0x1d552, digits: 0x1d7d8 },
  'bold-fraktur': { upper: 0x1d56c, lower: 0x1d586 },
  'sans-serif': { upper: 0x1d5a0, lower: 0x1d5ba, digits: 0x1d7e2 },
  'bold-sans-serif': { upper: 0x1d5d4, lower: 0x1d5ee, digits: 0x1d7ec },
  'sans-serif-italic': { upper: 0x1d608, lower: 0x1d622 },
  'sans-serif-bold-italic': { upper: 0x1d63c, lower: 0x1d656 },
  monospace: { upper: 0x1d670, lower: 0x1d68a, digits: 0x1d7f6 },
};
/** Letters that Unicode had before this block. */
const older: Record<string, Record<string, string>> = {
  italic: { h: 'ℎ' },
  script: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
  'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
};
/** Bold Greek: capitals from Α, lower case from α. */
const greek: Record<string, [number, number]> = {
  bold: [0x1d6a8, 0x1d6c2],
  'bold-italic': [0x1d71c, 0x1d736],
};

/** @param variant MathML 3's name of the alphabet; characters that it lacks stay as they are */
export function toMathAlphabet(text: string, variant: string): string {
  const alphabet = alphabets[variant];
  if (!alphabet) return text;
  return [...text]
    .map((letter) => {
      const old = older[variant]?.[letter];
      if (old) return old;
      const code = letter.codePointAt(0)!;
      if (code >= 65 && code <= 90) return String.fromCodePoint(alphabet.upper + code - 65);
      if (code >= 97 && code <= 122) return String.fromCodePoint(alphabet.lower + code - 97);
      if (code >= 48 && code <= 57 && alphabet.digits)
        return String.fromCodePoint(alphabet.digits + code - 48);
      const [upper, lower] = greek[variant] ?? [];
      if (upper && code >= 0x391 && code <= 0x3a9) return String.fromCodePoint(upper + code - 0x391);
      if (lower && code >= 0x3b1 && code <= 0x3c9) return String.fromCodePoint(lower + code - 0x3b1);
      return letter;
    })
    .join('');
}
