import { escapeLatex } from '#latex/source/escape.ts';
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import { heightOf, widthOf } from '../box.ts';
import { isMathsWord } from './classify-lines.ts';
import { formulaDoubtBelow } from './formulas/confidence.ts';
import { confidenceOf, type Line, type Word } from './printed-page.ts';

/** Words for which Tesseract's confidence is below this are marked doubtful: on our scans a third of them are wrong. */
const doubtfulBelow = 60;
/** Ink this flat and this wide, relative to the font size, is a dotted or drawn blank. */
const blankMaxHeight = 0.36;
const blankMinWidth = 0.5;
/** Width of an A4 page, from which the width of a blank is computed, cm. */
const pageWidthCm = 21;

const reasons = {
  unclear: 'The print is hard to read here.',
  formula: 'A formula: the embedded reader reads its signs one by one and loses their arrangement.',
  unsure: 'A formula that is hard to read here.',
};

/** Collects a page's LaTeX together with the offsets of doubtful parts. */
export class BodyWriter {
  body = '';
  readonly doubtful: DoubtfulSpan[] = [];
  hasFormula = false;
  private readonly pageWidth: number;

  constructor(pageWidth: number) {
    this.pageWidth = pageWidth;
  }

  /** LaTeX inserted verbatim. */
  raw(latex: string): void {
    this.body += latex;
  }

  /** Running text over one or more lines; words hyphenated at line ends are joined. */
  prose(lines: readonly Pick<Line, 'words' | 'size'>[]): void {
    lines.forEach(({ words, size }, index) => {
      if (index > 0 && !this.joinDivided(words[0]!.text)) this.body += '\n';
      this.words(words, size);
    });
  }

  /** Words separated by spaces, with their footnotes. Mathematics among them and illegible words are marked. */
  words(words: readonly Word[], size: number): void {
    let isFirst = true;
    for (let index = 0; index < words.length; index++) {
      const blank = countBlank(words.slice(index), size);
      if (!isFirst) this.body += ' ';
      isFirst = false;
      if (blank > 0) {
        const width = words[index + blank - 1]!.right - words[index]!.left;
        this.body += `\\makebox[${Math.max(0.5, (width / this.pageWidth) * pageWidthCm).toFixed(1)}cm]{\\dotfill}`;
        index += blank - 1;
        continue;
      }
      const word = words[index]!;
      this.word(word);
      if (!word.note) continue;
      this.body += '\\footnote{';
      this.prose(word.note);
      this.body += '}';
    }
  }

  private word(word: Word): void {
    if (word.latex !== undefined) {
      this.latex(word.latex, word.confidence / 100);
      return;
    }
    const isFormula = isMathsWord(word);
    const start = this.body.length;
    this.body += escapeWord(word.text);
    if (isFormula) this.hasFormula = true;
    if (isFormula || word.confidence < doubtfulBelow)
      this.mark(start, word.confidence / 100, isFormula ? reasons.formula : reasons.unclear);
  }

  /** Formulas as they were read, marked if uncertain. */
  latex(latex: string, confidence: number): void {
    const start = this.body.length;
    this.body += latex;
    if (confidence < formulaDoubtBelow) this.mark(start, Math.round(100 * confidence) / 100, reasons.unsure);
  }

  /** A displayed formula: its signs as text, all of it doubtful. */
  formula(words: readonly Word[]): void {
    const start = this.body.length;
    this.body += words.map((word) => escapeWord(word.text)).join(' ');
    this.hasFormula = true;
    this.mark(start, Math.min(0.5, confidenceOf(words)), reasons.formula);
  }

  /** A listing; one with letters that the package cannot set has its caption before it. */
  listing(lines: readonly string[], caption: readonly Line[]): void {
    const isAscii = lines.every((line) => /^[\x20-\x7e]*$/.test(line));
    if (!isAscii && caption.length) {
      this.prose(caption);
      this.body += '\n\n';
    }
    const name = isAscii ? 'lstlisting' : 'verbatim';
    this.body += `\\begin{${name}}`;
    if (isAscii) {
      this.body += String.raw`[basicstyle=\ttfamily\small,columns=fullflexible,keepspaces=true`;
      if (caption.length) {
        this.body += ',caption={';
        this.prose(caption);
        this.body += '}';
      }
      this.body += ']';
    }
    this.body += `\n${lines.join('\n')}\n\\end{${name}}\n\n`;
  }

  private mark(start: number, confidence: number, reason: string): void {
    const last = this.doubtful.at(-1);
    // neighbours with nothing but a space between read better as one
    if (last && start - last.end <= 1 && last.reason === reason) {
      last.end = this.body.length;
      last.confidence = Math.min(last.confidence ?? 1, confidence);
    } else this.doubtful.push({ start, end: this.body.length, confidence, reason });
  }

  private joinDivided(next: string): boolean {
    if (!/\p{L}-$/u.test(this.body) || !/^\p{Ll}/u.test(next)) return false;
    this.body = this.body.slice(0, -1);
    const last = this.doubtful.at(-1);
    if (last && last.end > this.body.length) last.end = this.body.length;
    return true;
  }
}

/** Number of words, from the first, that are the dots of one blank. */
function countBlank(words: readonly Word[], size: number): number {
  const isFlat = (word: Word) => heightOf(word) < size * blankMaxHeight && word.confidence < doubtfulBelow;
  let count = 0;
  while (count < words.length && isFlat(words[count]!)) count++;
  if (count === 0) return 0;
  const width = words[count - 1]!.right - words[0]!.left;
  return width > size * blankMinWidth * 3 && widthOf(words[0]!) > 0 ? count : 0;
}

/** A straight double quote is a shorthand in some languages: it becomes the curly one it represents. */
function escapeWord(text: string): string {
  return escapeLatex(text.replace(/^([([]*)"/, '$1“').replace(/"/g, '”'));
}
