/** Reads blocks: paragraphs, headings, lists, floats, statements. */
import {
  captionedEnvironments,
  displayEnvironments,
  environmentArguments,
  headingLevels,
  rawEnvironments,
  silentEnvironments,
  styleSwitches,
  tableEnvironments,
} from '../source/commands.ts';
import { closerOf, readGroup, readOptional } from '../source/matches.ts';
import { scanLatex, type Token } from '../source/scan.ts';
import { readAlgorithm } from './read-algorithm.ts';
import { readDisplay } from './read-display.ts';
import { joinTexts, readInline, readInlines, skipOptionals, trimInlines } from './read-inlines.ts';
import { isList, readList } from './read-list.ts';
import { readTable } from './read-table.ts';
import { maxNesting, type ReaderState } from './state.ts';
import type { Block, Inline } from './tree.ts';

/** Names of drawing environments; others are called drawing. */
const drawings = new Map([
  ['circuitikz', 'Circuit'],
  ['tikzcd', 'Diagram'],
  ['forest', 'Tree'],
  ['axis', 'Plot'],
]);

/** The kind of caption in an environment, or null: `wrapfigure*` has a figure's. */
function captionWord(environment: string): string | null {
  if (!captionedEnvironments.has(environment) || tableEnvironments.has(environment)) return null;
  const kind = /^(?!sub).*?(figure|table|algorithm|listing)\*?$/.exec(environment)?.[1];
  return kind ? kind.charAt(0).toUpperCase() + kind.slice(1) : null;
}

/** Enables `state` to read blocks. */
export function openBlockReader(state: ReaderState): void {
  state.readBlocks = (latex) => {
    if (state.nesting >= maxNesting) return [{ kind: 'source', tex: latex, what: 'Nested too deeply' }];
    state.nesting++;
    try {
      return new BlockReader(state, latex).read();
    } finally {
      state.nesting--;
    }
  };
}

class BlockReader {
  readonly #state: ReaderState;
  readonly #latex: string;
  readonly #tokens: Token[];
  readonly #blocks: Block[] = [];
  #words: Inline[] = [];
  #align: 'left' | 'center' | 'right' = 'left';

  constructor(state: ReaderState, latex: string) {
    this.#state = state;
    this.#latex = latex;
    this.#tokens = scanLatex(latex);
  }

  read(): Block[] {
    let index = 0;
    while (index < this.#tokens.length) index = this.#step(index);
    this.#endParagraph();
    return this.#blocks;
  }

  #endParagraph(): void {
    const content = trimInlines(this.#words);
    this.#words = [];
    if (content.length > 0) this.#blocks.push({ kind: 'paragraph', content, align: this.#align });
  }

  #put(...blocks: Block[]): void {
    this.#endParagraph();
    this.#blocks.push(...blocks);
  }

  #slice(group: { start: number; end: number }): string {
    return this.#latex.slice(group.start, group.end);
  }

  #step(index: number): number {
    const token = this.#tokens[index]!;
    if (token.kind === 'break') {
      this.#endParagraph();
      return index + 1;
    }
    if (token.kind === 'begin') return this.#readEnvironment(index);
    if (token.kind === 'verbatim' && /^\\begin/.test(this.#latex.slice(token.start, token.start + 6))) {
      this.#readVerbatim(token);
      return index + 1;
    }
    if (token.kind === 'double-dollar') {
      const close = closerOf(this.#tokens, index);
      if (close > 0) {
        this.#put(readDisplay(this.#state, '$$', this.#latex.slice(token.end, this.#tokens[close]!.start)));
        return close + 1;
      }
    }
    if (token.kind === 'open') {
      const close = closerOf(this.#tokens, index);
      const inner = close < 0 ? [] : this.#tokens.slice(index + 1, close);
      // a group around whole paragraphs sets only their size or language
      if (inner.some((one) => one.kind === 'begin' || one.kind === 'break')) {
        this.#put(...this.#state.readBlocks(this.#latex.slice(token.end, this.#tokens[close]!.start)));
        return close + 1;
      }
    }
    if (token.kind === 'command') {
      const next = this.#readCommand(index);
      if (next !== null) return next;
    }
    return readInline(this.#state, this.#latex, this.#tokens, index, this.#words);
  }

  #readCommand(index: number): number | null {
    const token = this.#tokens[index]!;
    const name = token.name.length > 1 ? token.name.replace(/\*$/, '') : token.name;
    if (name === '[') {
      const close = closerOf(this.#tokens, index);
      if (close < 0) return null;
      this.#put(readDisplay(this.#state, '[', this.#latex.slice(token.end, this.#tokens[close]!.start)));
      return close + 1;
    }
    if (headingLevels.has(name)) return this.#readHeading(index, name);
    const style = styleSwitches.get(name);
    if (style) {
      // to the end of this part: read as one styled run per paragraph
      const rest = this.#state.readBlocks(this.#latex.slice(token.end));
      const [first, ...others] = rest.map((block) =>
        block.kind === 'paragraph'
          ? { ...block, content: [{ kind: 'styled', style, content: block.content } as const] }
          : block,
      );
      if (first?.kind === 'paragraph') this.#words.push(...first.content);
      this.#endParagraph();
      this.#blocks.push(...(first && first.kind !== 'paragraph' ? [first] : []), ...others);
      return this.#tokens.length;
    }
    switch (name) {
      case 'par':
      case 'smallskip':
      case 'medskip':
      case 'bigskip':
      case 'clearpage':
      case 'newpage':
      case 'pagebreak':
        this.#endParagraph();
        return index + 1;
      case 'centering':
        this.#align = 'center';
        return index + 1;
      case 'raggedleft':
        this.#align = 'right';
        return index + 1;
      case 'hrule':
        this.#put({ kind: 'rule' });
        return index + 1;
      case 'maketitle':
        this.#put(...titleBlocks(this.#state));
        return index + 1;
      case 'caption':
      case 'captionof':
        return this.#readCaption(index, name);
      case 'opening':
      case 'closing':
      case 'encl':
      case 'cc':
      case 'ps': {
        const group = readGroup(this.#tokens, index + 1);
        if (!group) return index + 1;
        this.#endParagraph();
        const before = name === 'encl' || name === 'cc' ? `${name}: ` : '';
        this.#words.push({ kind: 'text', text: before }, ...readInlines(this.#state, this.#slice(group)));
        this.#endParagraph();
        return group.close + 1;
      }
      default:
        return null;
    }
  }

  #readHeading(index: number, name: string): number {
    const optional = readOptional(this.#tokens, index + 1);
    const group = readGroup(this.#tokens, optional ? optional.close + 1 : index + 1);
    if (!group) return index + 1;
    const level = Math.min(4, headingLevels.get(name)! + (this.#state.hasChapters ? 1 : 0)) || 1;
    const isNumbered = !this.#tokens[index]!.name.endsWith('*') && level <= 3 && name !== 'part';
    const number = isNumbered ? this.#state.countSection(level) : null;
    const id = this.#state.newId();
    this.#state.current = { number: number ?? '', name: name === 'chapter' ? 'Chapter' : 'Section', id };
    const content = trimInlines(readInlines(this.#state, this.#slice(group)));
    this.#put({ kind: 'heading', level: level as 1, number, content, id });
    return group.close + 1;
  }

  #readCaption(index: number, name: string): number {
    let at = index + 1;
    const kind = name === 'captionof' ? readGroup(this.#tokens, at) : null;
    if (kind) at = kind.close + 1;
    const optional = readOptional(this.#tokens, at);
    const group = readGroup(this.#tokens, optional ? optional.close + 1 : at);
    if (!group) return index + 1;
    const word = (kind ? captionWord(this.#slice(kind).trim()) : null) ?? this.#state.current.name;
    const isStarred = this.#tokens[index]!.name.endsWith('*');
    const number = isStarred || word === '' ? null : this.#state.countPrinted(word.toLowerCase());
    if (number) this.#state.current = { ...this.#state.current, number, name: word };
    const content = trimInlines(readInlines(this.#state, this.#slice(group)));
    this.#put({ kind: 'caption', name: isStarred ? '' : word, number, content });
    return group.close + 1;
  }

  #readVerbatim(token: Token): void {
    const source = this.#latex.slice(token.start, token.end);
    if (silentEnvironments.has(token.name)) return;
    const inner = source.slice(source.indexOf('}') + 1, source.lastIndexOf('\\end{'));
    const options = /^\s*\[((?:[^[\]{}]|\{[^{}]*\})*)\]/.exec(inner);
    const isMinted = token.name === 'minted' ? /^\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}/.exec(inner) : null;
    const head =
      isMinted?.[0].length ?? (/^(verbatim\*?|alltt)$/.test(token.name) ? 0 : (options?.[0].length ?? 0));
    const caption = /caption\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([^,]*))/.exec(options?.[1] ?? '');
    if (caption) {
      const number = this.#state.countPrinted('listing');
      const content = readInlines(this.#state, caption[1] ?? caption[2] ?? '');
      this.#put({ kind: 'caption', name: 'Listing', number, content });
    }
    this.#put({
      kind: 'code',
      text: inner
        .slice(head)
        .replace(/^[^\S\n]*\n/, '')
        .replace(/\s+$/, ''),
    });
  }

  #readEnvironment(index: number): number {
    const { name, end: innerStart } = this.#tokens[index]!;
    const end = closerOf(this.#tokens, index);
    const inner = this.#latex.slice(innerStart, end < 0 ? this.#latex.length : this.#tokens[end]!.start);
    const next = end < 0 ? this.#tokens.length : end + 1;
    const bare = name.replace('*', '');
    const state = this.#state;
    const word = captionWord(name);
    if (name !== 'math' && displayEnvironments.has(name)) this.#put(readDisplay(state, name, inner));
    else if (name === 'math') this.#words.push({ kind: 'formula', tex: inner.trim(), isDisplay: false });
    else if (isList(bare)) this.#put(readList(state, bare, inner));
    else if (tableEnvironments.has(name)) this.#put(readTable(state, name, inner));
    else if (rawEnvironments.has(name))
      this.#put({
        kind: 'source',
        tex: this.#latex.slice(this.#tokens[index]!.start, end < 0 ? undefined : this.#tokens[end]!.end),
        what: drawings.get(bare) ?? 'Drawing',
      });
    else if (word) this.#put(this.#readFloat(withoutArguments(name, inner), word));
    else if (bare === 'algorithmic') this.#put(readAlgorithm(state, inner));
    else if (name === 'proof' || state.theorems.has(name)) this.#put(this.#readStatement(name, inner));
    else if (/^(quote|quotation|verse)$/.test(name))
      this.#put({ kind: 'quote', blocks: state.readBlocks(inner) });
    else if (name === 'abstract')
      this.#put({ kind: 'quote', blocks: [bold('Abstract'), ...state.readBlocks(inner)] });
    else if (/^(center|flushleft|flushright)$/.test(name)) {
      const align = name === 'center' ? 'center' : name === 'flushright' ? 'right' : 'left';
      this.#put(...aligned(state.readBlocks(inner), align));
    } else this.#put(...state.readBlocks(withoutArguments(name, inner)));
    return next;
  }

  #readFloat(inner: string, name: string): Block {
    const around = this.#state.current;
    const id = this.#state.newId();
    this.#state.current = { number: '', name, id };
    const blocks = aligned(this.#state.readBlocks(inner), 'center');
    this.#state.current = around;
    return { kind: 'float', blocks, id };
  }

  #readStatement(name: string, inner: string): Block {
    const tokens = scanLatex(inner);
    const optional = readOptional(tokens, 0);
    const note = optional
      ? trimInlines(readInlines(this.#state, inner.slice(optional.start, optional.end)))
      : null;
    const body = optional ? inner.slice(tokens[optional.close]!.end) : inner;
    const id = this.#state.newId();
    const around = this.#state.current;
    if (name === 'proof') {
      const head: Inline[] = [
        { kind: 'styled', style: 'italic', content: note ?? [{ kind: 'text', text: 'Proof' }] },
      ];
      const blocks = this.#state.readBlocks(body);
      const last = blocks.at(-1);
      const mark: Inline = { kind: 'text', text: '\u2003∎' };
      if (last?.kind === 'paragraph') last.content.push(mark);
      else blocks.push({ kind: 'paragraph', align: 'right', content: [mark] });
      return { kind: 'statement', head: [...head, { kind: 'text', text: '.' }], blocks, isItalic: false, id };
    }
    const kind = this.#state.theorems.get(name)!;
    const number = kind.counter ? this.#state.countPrinted(kind.counter) : '';
    this.#state.current = { number, name: kind.name, id };
    const title: Inline = { kind: 'text', text: number ? `${kind.name} ${number}` : kind.name };
    const head: Inline[] = [{ kind: 'styled', style: 'bold', content: [title] }];
    if (note) head.push({ kind: 'text', text: ' (' }, ...note, { kind: 'text', text: ')' });
    head.push({ kind: 'text', text: '.' });
    const blocks = this.#state.readBlocks(body);
    this.#state.current = around;
    return { kind: 'statement', head: joinTexts(head), blocks, isItalic: kind.isItalic, id };
  }
}

const bold = (text: string): Block => ({
  kind: 'paragraph',
  align: 'left',
  content: [{ kind: 'styled', style: 'bold', content: [{ kind: 'text', text }] }],
});

function aligned(blocks: Block[], align: 'left' | 'center' | 'right'): Block[] {
  return blocks.map((block) => (block.kind === 'paragraph' ? { ...block, align } : block));
}

/** Environments whose first arguments are lengths; a letter's is its recipient, which is shown. */
function withoutArguments(name: string, inner: string): string {
  if (name === 'letter') {
    const tokens = scanLatex(inner);
    const group = readGroup(tokens, 0);
    return group
      ? `${inner.slice(group.start, group.end)}\n\n${inner.slice(tokens[group.close]!.end)}`
      : inner;
  }
  const count = environmentArguments(name).length;
  const isKnown = count > 0 || captionedEnvironments.has(name) || optionsAreLooks.test(name);
  const tokens = isKnown ? scanLatex(inner) : [];
  let at = skipOptionals(tokens, 0);
  for (let left = count; left > 0; left--) {
    const group = readGroup(tokens, at);
    if (group) at = skipOptionals(tokens, group.close + 1);
  }
  return at === 0 ? inner : inner.slice(tokens[at - 1]!.end);
}

const optionsAreLooks = /^(?:framed|mdframed|tcolorbox|solution\w*|small|footnotesize|landscape|titlepage)$/;

function titleBlocks(state: ReaderState): Block[] {
  const lines = [state.author, state.date].filter((line) => line.length > 0);
  return [
    ...(state.title.length > 0
      ? [{ kind: 'heading', level: 1, number: null, content: state.title, id: 'title' } as const]
      : []),
    ...lines.map((content) => ({ kind: 'paragraph', align: 'center', content }) as const),
  ];
}
