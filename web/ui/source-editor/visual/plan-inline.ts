/**
 * What occurs in running text: headings, styles, lists, references, formulas of one line. Pure: a stretch of
 * LaTeX in, pieces out. It begins in text, at a line's start; broken LaTeX gives fewer pieces, never an error.
 */
import {
  citationCommands,
  commandArguments,
  displayEnvironments,
  headingLevels,
  innerMathEnvironments,
  listEnvironments,
  rawEnvironments,
  referenceCommands,
  runInLevel,
  styleCommands,
  theoremEnvironments,
} from '#latex/source/commands.ts';
import { type Argument, closerOf, readGroup, readOptional } from '#latex/source/matches.ts';
import { printLigatures } from '#latex/source/print-ligatures.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';
import { accentOf, printedText } from '#latex/source/text-commands.ts';
import { readableTitle } from '#latex/source/title/readable-title.ts';
import { ListPlanner } from './list-planner.ts';
import type { Piece, Shown, Span } from './pieces.ts';
import { isBlockEnvironment } from './plan-blocks.ts';

/** Words in place of commands without arguments. */
const words = new Map<string, string>([
  ['tableofcontents', 'Contents'],
  ['listoffigures', 'List of figures'],
  ['listoftables', 'List of tables'],
  ['newpage', 'Page break'],
  ['clearpage', 'Page break'],
  ['pagebreak', 'Page break'],
  ['printbibliography', 'References'],
  ['printindex', 'Index'],
]);
/** Words before the names of files that are read in at this place. */
const filed = new Map<string, string>([
  ['input', ''],
  ['include', ''],
  ['subfile', ''],
  ['bibliography', 'References: '],
]);
/** Commands that only move or space what follows. */
const silent = new Set(['noindent', 'centering', 'bigskip', 'medskip', 'smallskip', 'par', 'indent']);
const alignments = new Map([
  ['center', 'center'],
  ['flushright', 'right'],
  ['flushleft', 'left'],
  ['quote', 'quote'],
  ['quotation', 'quote'],
  ['verse', 'quote'],
  ['abstract', 'quote'],
]);

/**
 * Names that `
 * ewtheorem` defines in this document, and the words they print.
 */
export type TheoremNames = ReadonlyMap<string, string>;

export function planInline(text: string, theorems: TheoremNames = new Map()): Piece[] {
  return new InlinePlanner(text, theorems).plan();
}

class InlinePlanner {
  readonly #text: string;
  readonly #tokens: Token[];
  readonly #theorems: TheoremNames;
  readonly #pieces: Piece[] = [];
  readonly #lists: ListPlanner;

  constructor(text: string, theorems: TheoremNames) {
    this.#text = text;
    this.#tokens = scanLatex(text);
    this.#theorems = theorems;
    this.#lists = new ListPlanner(text, this.#pieces);
  }

  plan(): Piece[] {
    let index = 0;
    while (index < this.#tokens.length) index = Math.max(index + 1, this.#step(index));
    this.#lists.finish();
    // anything hidden or replaced here stays within its line: taller things are blocks
    return this.#pieces.filter(
      (piece) =>
        piece.kind === 'line' ||
        (piece.to > piece.from &&
          (piece.kind === 'mark' || !this.#text.slice(piece.from, piece.to).includes('\n'))),
    );
  }

  #hide(from: number, to: number, span: Span) {
    this.#pieces.push({ kind: 'hide', from, to, span });
  }

  #show(from: number, to: number, shown: Shown, span: Span = { from, to }) {
    this.#pieces.push({ kind: 'show', from, to, span, shown });
  }

  #mark(from: number, to: number, look: string) {
    this.#pieces.push({ kind: 'mark', from, to, look });
  }

  /** The argument stays, with this style; the command and its braces are hidden. */
  #dress(from: number, group: Argument, look: string, span?: Span) {
    const end = this.#tokens[group.close]!.end;
    const whole = span ?? { from, to: end };
    this.#hide(from, group.start, whole);
    this.#hide(group.end, end, whole);
    this.#mark(group.start, group.end, look);
  }

  #lineOf({ from, to }: Span): Span {
    const end = this.#text.indexOf('\n', to);
    return { from: this.#text.lastIndexOf('\n', from - 1) + 1, to: end < 0 ? this.#text.length : end };
  }

  #step(index: number): number {
    const token = this.#tokens[index]!;
    const { start, end } = token;
    switch (token.kind) {
      case 'text':
        for (const { index: at, 0: sign } of this.#text.slice(start, end).matchAll(/---?|``|''|`/g))
          this.#show(start + at, start + at + sign.length, { kind: 'text', text: printLigatures(sign) });
        return index + 1;
      case 'tilde':
        this.#show(start, end, { kind: 'text', text: '\u00a0' });
        return index + 1;
      case 'comment':
        this.#mark(start, this.#text[end - 1] === '\n' ? end - 1 : end, 'comment');
        return index + 1;
      case 'dollar':
      case 'double-dollar':
        return this.#formula(index, token.kind === 'double-dollar');
      case 'verbatim':
        this.#verbatim(token);
        return index + 1;
      case 'begin':
        return this.#begin(index);
      case 'end':
        this.#end(token);
        return index + 1;
      case 'command':
        return this.#command(index);
      default:
        return index + 1;
    }
  }

  #formula(index: number, isDisplay: boolean): number {
    const close = closerOf(this.#tokens, index);
    // unfinished: what follows may be meant as mathematics, up to the paragraph's end
    if (close < 0) return this.#skipParagraph(index);
    const tex = this.#text.slice(this.#tokens[index]!.end, this.#tokens[close]!.start);
    const [from, to] = [this.#tokens[index]!.start, this.#tokens[close]!.end];
    if (tex.trim() !== '') this.#show(from, to, { kind: 'formula', tex, isDisplay });
    return close + 1;
  }

  #skipParagraph(index: number): number {
    let at = index + 1;
    while (at < this.#tokens.length && this.#tokens[at]!.kind !== 'break') at++;
    return at;
  }

  #verbatim({ start, end, name }: Token) {
    const source = this.#text.slice(start, end);
    if (source.startsWith('\\begin')) {
      this.#lists.code(start, end);
      return;
    }
    const isUrl = name === 'url' || name === 'nolinkurl';
    const opener = isUrl ? source.indexOf('{') + 1 : source.indexOf(name) + name.length + 1;
    this.#hide(start, start + opener, { from: start, to: end });
    this.#hide(end - 1, end, { from: start, to: end });
    this.#mark(start + opener, end - 1, isUrl ? 'link' : 'code');
  }

  #begin(index: number): number {
    const { name, start, end } = this.#tokens[index]!;
    const bare = name.replace(/\*$/, '');
    const close = closerOf(this.#tokens, index);
    if (displayEnvironments.has(name) || innerMathEnvironments.has(name) || rawEnvironments.has(name))
      return close < 0 ? this.#skipParagraph(index) : close + 1;
    if (close < 0) return index + 1;
    if (isBlockEnvironment(name)) return close + 1;
    const closer = this.#tokens[close]!;
    const option = readOptional(this.#tokens, index + 1);
    const after = option ? this.#tokens[option.close]!.end : end;
    if (listEnvironments.has(name)) {
      this.#lists.open(bare, start, after, closer, option ? this.#text.slice(option.start, option.end) : '');
      return option ? option.close + 1 : index + 1;
    }
    const head = this.#headOf(bare);
    const look = alignments.get(bare);
    if (!look && !head) return index + 1;
    this.#lists.enclose(look ?? null, start, closer);
    if (!head) {
      this.#lists.thin(start, end);
      return index + 1;
    }
    const note = option ? readableTitle(this.#text.slice(option.start, option.end)) : '';
    const label = bare === 'abstract' ? head : `${head}${note && ` (${note})`}. `;
    this.#show(start, after, { kind: 'text', text: label, look: bare === 'abstract' ? 'abstract' : 'head' });
    if (bare === 'abstract') {
      const line = this.#lineOf({ from: start, to: start }).from;
      this.#pieces.push({ kind: 'line', from: line, look: 'abstract-line', span: null });
    }
    return option ? option.close + 1 : index + 1;
  }

  #headOf(name: string): string | null {
    if (name === 'abstract') return 'Abstract';
    if (name === 'proof') return 'Proof';
    const given = this.#theorems.get(name);
    if (given) return given;
    return theoremEnvironments.has(name) ? name.charAt(0).toUpperCase() + name.slice(1) : null;
  }

  #end({ name, start, end }: Token) {
    if (name === 'document') {
      this.#show(start, end, { kind: 'text', text: 'End of the document', look: 'dim' });
      return;
    }
    if (this.#lists.endsAt(start)) this.#lists.thin(start, end);
  }

  #command(index: number): number {
    const token = this.#tokens[index]!;
    const { start, end, name } = token;
    if (name === '(' || name === '[') return this.#formula(index, name === '[');
    const bare = name.length > 1 ? name.replace(/\*$/, '') : name;
    const option = readOptional(this.#tokens, index + 1);
    const group = readGroup(this.#tokens, option ? option.close + 1 : index + 1);
    const level = headingLevels.get(name);
    if (level !== undefined && group) return this.#heading(index, group, level);
    const style = styleCommands.get(bare);
    if (style && group) {
      this.#dress(start, group, style);
      return group.open + 1;
    }
    if (bare === 'item') return this.#lists.item(this.#tokens, index, option);
    if (bare === 'footnote' && group) {
      this.#show(start, group.start, { kind: 'text', text: 'note', look: 'chip' }, this.#whole(start, group));
      this.#hide(group.end, this.#tokens[group.close]!.end, this.#whole(start, group));
      this.#mark(group.start, group.end, 'note');
      return group.open + 1;
    }
    if (bare === 'href' && group) {
      const label = readGroup(this.#tokens, group.close + 1);
      if (!label) return group.close + 1;
      this.#dress(start, label, 'link');
      return label.open + 1;
    }
    if (bare === 'includegraphics' && group) {
      const to = this.#tokens[group.close]!.end;
      this.#show(start, to, { kind: 'set', latex: this.#text.slice(start, to) });
      return group.close + 1;
    }
    if (group && filed.has(name)) {
      const names = this.#text.slice(group.start, group.end).trim();
      const text = `${filed.get(name)}${names}`;
      this.#show(start, this.#tokens[group.close]!.end, { kind: 'text', text, look: 'chip' });
      return group.close + 1;
    }
    if (words.has(bare)) this.#show(start, end, { kind: 'text', text: words.get(bare)!, look: 'chip' });
    else if (silent.has(bare)) this.#mark(start, end, 'dim');
    else if (group && (bare === 'label' || referenceCommands.has(name) || citationCommands.has(name)))
      return this.#reference(token, option, group);
    else return this.#sign(index);
    return index + 1;
  }

  #whole(from: number, group: Argument): Span {
    return { from, to: this.#tokens[group.close]!.end };
  }

  #heading(index: number, group: Argument, level: number): number {
    const { start } = this.#tokens[index]!;
    const line = this.#lineOf({ from: start, to: this.#tokens[group.close]!.end });
    this.#dress(start, group, `heading-${level}`, line);
    if (level < runInLevel)
      this.#pieces.push({ kind: 'line', from: line.from, look: `heading-line-${level}`, span: null });
    return group.open + 1;
  }

  #reference({ start, name }: Token, option: Argument | null, group: Argument): number {
    const key = this.#text.slice(group.start, group.end).trim();
    const isCited = citationCommands.has(name);
    const note = option && isCited ? readableTitle(this.#text.slice(option.start, option.end)) : '';
    const text =
      name === 'label'
        ? `#${key}`
        : isCited
          ? `[${[key, note].filter(Boolean).join(', ')}]`
          : name === 'eqref'
            ? `(${key})`
            : key;
    this.#show(start, this.#tokens[group.close]!.end, { kind: 'text', text, look: 'chip' });
    return group.close + 1;
  }

  /** What a command prints; a command with arguments that are not words is not decorated. */
  #sign(index: number): number {
    const { start, end, name } = this.#tokens[index]!;
    const next = this.#tokens[index + 1];
    const printed = printedText(name);
    if (printed !== null && name !== '\n' && name !== '@' && name !== '-') {
      const group = next?.kind === 'open' && this.#tokens[index + 2]?.kind === 'close' ? index + 2 : null;
      const to = group ? this.#tokens[group]!.end : end;
      if (printed === '') this.#hide(start, to, { from: start, to });
      else this.#show(start, to, { kind: 'text', text: printed });
      return (group ?? index) + 1;
    }
    const accent = accentOf(name);
    if (accent) return this.#accent(index, accent);
    if (name === '\\') {
      this.#show(start, end, { kind: 'text', text: '↵', look: 'dim' });
      return index + 1;
    }
    let at = index + 1;
    for (const mode of commandArguments(name)) {
      const option = readOptional(this.#tokens, at);
      const group = readGroup(this.#tokens, option ? option.close + 1 : at);
      if (!group || mode !== 'raw') break;
      at = group.close + 1;
    }
    return at;
  }

  #accent(index: number, combining: string): number {
    const { start } = this.#tokens[index]!;
    const next = this.#tokens[index + 1];
    const group = next?.kind === 'open' ? readGroup(this.#tokens, index + 1) : null;
    const base = group
      ? this.#text.slice(group.start, group.end)
      : next?.kind === 'text'
        ? String.fromCodePoint(this.#text.codePointAt(next.start)!)
        : '';
    if (!/^\p{L}$/u.test(base)) return index + 1;
    const to = group ? this.#tokens[group.close]!.end : next!.start + base.length;
    this.#show(start, to, { kind: 'text', text: (base + combining).normalize('NFC') });
    return group ? group.close + 1 : index + 1;
  }
}
