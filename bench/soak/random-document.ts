/**
 * A document under random edits: typing, deleting, errors that come and go, structure, figures, packages,
 * engines.
 */
import { deflateSync } from 'node:zlib';
import { pngChunk } from '#platform/pictures/testing/png-chunk.ts';
import type { Asset } from '#typesetting/index.ts';

const lexicon =
  'energy follows the gradient until every bounded sequence converges and no further term changes its norm; Größe, naïve, l’été: what remains is small (compare the table) – a matrix with many rows, each of them positive'.split(
    ' ',
  );
const packages = [
  '\\usepackage{xcolor}',
  '\\usepackage{enumitem}',
  '\\usepackage{hyperref}',
  '\\usepackage{booktabs}',
  '\\usepackage{siunitx}',
  '\\usepackage{tikz}',
  '\\usepackage[margin=2cm]{geometry}',
  '\\usepackage{cleveref}',
  '\\usepackage[ngerman]{babel}',
];
const mistakes = [
  '\\undefinedcommand here',
  'an open { brace',
  'a closing } brace',
  'an open $x^2 formula',
  '\\begin{itemize} \\item never ended',
  '\\end{enumerate}',
  '\\frac{1}{2} outside of maths',
  '$a_b_c$',
  '\\includegraphics{nowhere.png}',
  '\\begin{tabular}{l} a & b \\\\ \\end{tabular}',
  '\\input{nowhere}',
];

interface Block {
  text: string;
  /** Until the error is corrected. */
  isBroken: boolean;
}

export class RandomDocument {
  readonly #random: () => number;
  #engineComment = '';
  #packages: string[] = [];
  #hasContents = false;
  #blocks: Block[] = [];
  #figures: Asset[] = [];
  #labels = 0;

  constructor(random: () => number, blockCount: number) {
    this.#random = random;
    for (let count = 0; count < blockCount; count++)
      this.#blocks.push({ text: this.#newBlock(), isBroken: false });
  }

  get latex(): string {
    return [
      `${this.#engineComment}\\documentclass{article}`,
      '\\usepackage{amsmath,amssymb,graphicx}',
      ...this.#packages,
      '\\begin{document}',
      ...(this.#hasContents ? ['\\tableofcontents'] : []),
      this.#blocks.map(({ text }) => text).join('\n\n'),
      '\\end{document}\n',
    ].join('\n');
  }

  get assets(): Asset[] {
    return [...this.#figures];
  }

  /** Makes one edit; returns its kind in a word. */
  edit(): string {
    const dice = this.#random();
    if (dice < 0.5) return this.#type();
    if (dice < 0.64) return this.#deleteWord();
    if (dice < 0.67) return this.#insert(this.#pick(mistakes), 'mistake');
    if (dice < 0.74) return this.#repair();
    if (dice < 0.85) return this.#insert(this.#newBlock(), 'block');
    if (dice < 0.91) return this.#removeBlock();
    if (dice < 0.94) return this.#toggle(this.#packages, this.#pick(packages), 'package');
    if (dice < 0.97) return this.#changeFigure();
    if (dice < 0.985) {
      this.#hasContents = !this.#hasContents;
      return 'contents';
    }
    this.#engineComment = this.#engineComment === '' ? '% !TEX program = pdflatex\n' : '';
    return 'engine';
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)]!;
  }

  #place(): number {
    return Math.floor(this.#random() * this.#blocks.length);
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => this.#pick(lexicon)).join(' ');
  }

  /** Mostly near the same place, as people type. */
  #type(): string {
    const place = this.#random() < 0.7 ? Math.min(this.#last, this.#blocks.length - 1) : this.#place();
    this.#last = Math.max(0, place);
    const block = this.#blocks[this.#last];
    if (!block) return this.#insert(this.#newBlock(), 'block');
    const words = block.text.split(' ');
    words.splice(Math.floor(this.#random() * words.length), 0, this.#pick(lexicon));
    block.text = words.join(' ');
    return 'type';
  }
  #last = 0;

  #deleteWord(): string {
    const block = this.#blocks[this.#place()];
    if (!block) return 'nothing';
    const words = block.text.split(' ');
    const place = Math.floor(this.#random() * words.length);
    const isPlain = /^[\p{L},;’]+$/u.test(words[place] ?? '');
    // commands and braces are rarely deleted: most of what is deleted is prose
    if (!isPlain && this.#random() < 0.85) return 'nothing';
    words.splice(place, 1);
    block.text = words.join(' ');
    if (!isPlain) block.isBroken = true;
    return 'delete';
  }

  #insert(text: string, what: string): string {
    this.#blocks.splice(this.#place(), 0, { text, isBroken: what === 'mistake' });
    return what;
  }

  #repair(): string {
    this.#blocks = this.#blocks.filter(({ isBroken }) => !isBroken);
    for (const { text } of this.#blocks) {
      const name = /figure-\d+\.png/.exec(text)?.[0];
      if (name) this.#provideFigure(name);
    }
    return 'repair';
  }

  #removeBlock(): string {
    if (this.#blocks.length > 6) this.#blocks.splice(this.#place(), 1 + Math.floor(this.#random() * 3));
    return 'remove';
  }

  #toggle(list: string[], entry: string, what: string): string {
    const place = list.indexOf(entry);
    if (place < 0) list.push(entry);
    else list.splice(place, 1);
    return what;
  }

  /** Another picture under the same name, or one fewer. */
  #changeFigure(): string {
    if (this.#figures.length === 0) return this.#insert(this.#newFigure(), 'figure');
    const place = Math.floor(this.#random() * this.#figures.length);
    const { name } = this.#figures[place]!;
    if (this.#random() < 0.3) this.#figures.splice(place, 1);
    else this.#figures[place] = { name, bytes: this.#newPicture() };
    return 'figure';
  }

  #newFigure(): string {
    const name = `figure-${1 + Math.floor(this.#random() * 5)}.png`;
    this.#provideFigure(name);
    return `\\begin{figure}[ht]\\centering\\includegraphics[width=3cm]{${name}}\\caption{${this.#words(4)}}\\end{figure}`;
  }

  #provideFigure(name: string): void {
    if (!this.#figures.some((figure) => figure.name === name))
      this.#figures.push({ name, bytes: this.#newPicture() });
  }

  /** 8 × 8 pixels of one colour. */
  #newPicture(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(8, 0);
    header.writeUInt32BE(8, 4);
    header[8] = 8;
    header[9] = 2;
    const colour = [0, 1, 2].map(() => Math.floor(this.#random() * 256));
    const row = [0, ...Array.from({ length: 8 }, () => colour).flat()];
    const rows = deflateSync(Buffer.from(Array.from({ length: 8 }, () => row).flat()));
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      pngChunk('IHDR', header),
      pngChunk('IDAT', rows),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
  }

  #newBlock(): string {
    const n = ++this.#labels;
    const known = Math.ceil(this.#random() * n);
    switch (Math.floor(this.#random() * 12)) {
      case 0:
        return `\\section{${this.#words(3)}}\\label{part:${n}}\n${this.#words(20)}`;
      case 1:
        return `As in section~\\ref{part:${known}} on page~\\pageref{part:${known}}: ${this.#words(15)}`;
      case 2:
        return `\\begin{equation}\\label{eq:${n}} \\int_0^{${n}} x^2\\,dx = \\frac{${n}^3}{3} \\end{equation}\n${this.#words(8)}`;
      case 3:
        return `\\begin{itemize}\n\\item ${this.#words(6)}\n\\item ${this.#words(9)}\n\\end{itemize}`;
      case 4:
        return `\\begin{tabular}{l|r}\nname & ${n} \\\\\n\\hline\n${this.#words(2)} & $x_{${n}}$\n\\end{tabular}`;
      case 5:
        return this.#newFigure();
      case 6:
        return `${this.#words(30)}\\footnote{${this.#words(7)}} ${this.#words(20)}`;
      case 7:
        return `\\newcommand{\\own${[...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}x}{${this.#words(2)}} ${this.#words(12)}`;
      default:
        return this.#words(40 + Math.floor(this.#random() * 60));
    }
  }
}
