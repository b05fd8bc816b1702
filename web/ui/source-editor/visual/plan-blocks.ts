/** What has lines of its own, or spans several: the preamble, displayed formulas, figures, tables. Pure. */
import type { Text } from '@codemirror/state';
import { captionedEnvironments, displayEnvironments, tableEnvironments } from '#latex/source/commands.ts';
import type { LineIndex } from '../lines/line-index.ts';
import type { Structure } from '../lines/structure.ts';

export interface Block {
  kind: 'preamble' | 'title' | 'formula' | 'set';
  from: number;
  to: number;
  /** Nothing else is on its lines. */
  isWhole: boolean;
  lines: number;
  /** For a formula, the input for KaTeX. */
  tex: string;
  isDisplay: boolean;
}

/** Rendered by the exports' reader: figures and tables. Lists and statements stay text. */
export const isBlockEnvironment = (name: string): boolean =>
  (tableEnvironments.has(name) || captionedEnvironments.has(name)) && !/^(?:algorithm|listing)/.test(name);

/** Longer ones stay source. */
const longest = 20_000;
/** Drawings and code inside: they are not rendered here. */
const drawn = /\\begin\s*\{(?:tikz|circuitikz|axis|forest|pspicture|picture|tblr|algorithm)|\\input\b/;

/** In order, none within another. */
export function planBlocks(doc: Text, index: LineIndex, structure: Structure): Block[] {
  const blocks: Block[] = [];
  const bodyLine = structure.body.begin?.line ?? 0;
  if (bodyLine > 0) {
    const { from, to } = { from: 0, to: doc.line(bodyLine).to };
    blocks.push({ kind: 'preamble', from, to, isWhole: true, lines: bodyLine, tex: '', isDisplay: false });
  }
  const title = findTitle(doc, bodyLine);
  if (title) blocks.push(title);
  for (const { begin, end } of structure.pairs) {
    const name = begin.mark.name.trim();
    const isFormula = displayEnvironments.has(name);
    if (begin.line <= bodyLine || (!isFormula && !isBlockEnvironment(name))) continue;
    const from = doc.line(begin.line).from + begin.mark.from;
    const to = doc.line(end.line).from + end.mark.to;
    blocks.push(place(doc, isFormula ? 'formula' : 'set', from, to, begin.line, end.line));
  }
  for (const found of findFormulas(doc, index, bodyLine)) blocks.push(found);
  blocks.sort((a, b) => a.from - b.from || b.to - a.to);
  let last = -1;
  return blocks.filter((block) => {
    if (block.kind === 'preamble') {
      last = block.to;
      return true;
    }
    if (block.from < last || block.to - block.from > longest) return false;
    const source = doc.sliceString(block.from, block.to);
    if (block.kind === 'set' && drawn.test(source)) return false;
    last = block.to;
    if (block.kind === 'formula' && block.tex === '') block.tex = source;
    return true;
  });
}

function place(doc: Text, kind: Block['kind'], from: number, to: number, first: number, last: number): Block {
  const start = doc.line(first).from;
  const end = doc.line(last).to;
  const isWhole = doc.sliceString(start, from).trim() === '' && doc.sliceString(to, end).trim() === '';
  const lines = last - first + 1;
  return {
    kind,
    from: isWhole ? start : from,
    to: isWhole ? end : to,
    isWhole,
    lines,
    tex: '',
    isDisplay: true,
  };
}

/** `\maketitle` is near the start of the body. */
const titleLines = 40;

function findTitle(doc: Text, bodyLine: number): Block | null {
  if (bodyLine === 0) return null;
  for (let number = bodyLine + 1; number <= Math.min(doc.lines, bodyLine + titleLines); number++) {
    const { from, to, text } = doc.line(number);
    if (/^\s*\\maketitle\s*$/.test(text)) return place(doc, 'title', from, to, number, number);
  }
  return null;
}

/** Formulas between signs that span several lines; single-line ones are handled in the text around them. */
function findFormulas(doc: Text, { lines }: LineIndex, bodyLine: number): Block[] {
  const found: Block[] = [];
  for (let at = bodyLine; at < lines.length; at++) {
    const state = lines[at]!.exit;
    if (!state.startsWith('m:') || lines[at]!.entry === state) continue;
    const closer = state.slice(2);
    const opener = closer === '\\)' ? '\\(' : closer === '\\]' ? '\\[' : closer;
    let last = at + 1;
    while (last < lines.length && lines[last]!.entry === state && lines[last]!.exit === state) last++;
    if (last >= lines.length || lines[last]!.entry !== state) continue;
    const first = doc.line(at + 1);
    const end = doc.line(last + 1);
    const start = first.text.lastIndexOf(opener);
    const stop = end.text.indexOf(closer);
    if (start < 0 || stop < 0) continue;
    const from = first.from + start;
    const to = end.from + stop + closer.length;
    const isDisplay = closer === '\\]' || closer === '$$';
    const block = place(doc, 'formula', from, to, at + 1, last + 1);
    block.tex = doc.sliceString(from + opener.length, to - closer.length);
    block.isDisplay = isDisplay;
    block.isWhole = block.isWhole && isDisplay;
    if (!block.isWhole) Object.assign(block, { from, to });
    if (block.tex.trim() !== '') found.push(block);
    at = last - 1;
  }
  return found;
}
