/** Derived from the marks of all lines: pairs of `\begin` and `\end`, headings, and the document's definitions. */
import type { EditorState } from '@codemirror/state';
import { readableTitle } from '#latex/source/title/readable-title.ts';
import { getLineIndex, type LineIndex } from './line-index.ts';
import type { Mark } from './scan-line.ts';

export interface PlacedMark {
  /** 1-based. */
  line: number;
  mark: Mark;
}

export interface EnvironmentPair {
  begin: PlacedMark;
  end: PlacedMark;
}

export interface Heading {
  /** 0 part and chapter, 1 section … 5 subparagraph. */
  level: number;
  /** As shown to the user. */
  title: string;
  /** 1-based. */
  line: number;
  /** The last line before the next heading of this or a higher level. */
  lastLine: number;
}

export interface Macro {
  name: string;
  count: number;
  body: string;
}

export interface Structure {
  pairs: readonly EnvironmentPair[];
  /** Keyed by the lines of both ends. */
  pairsAt: ReadonlyMap<number, readonly EnvironmentPair[]>;
  /** `\begin` without an `\end`, in document order. */
  open: readonly PlacedMark[];
  /** `\begin{document}` and its `\end`, as far as they are there. */
  body: { begin: PlacedMark | null; end: PlacedMark | null };
  headings: readonly Heading[];
  headingAt: ReadonlyMap<number, Heading>;
  labels: readonly string[];
  citationKeys: readonly string[];
  macros: readonly Macro[];
  environments: readonly string[];
  packages: readonly string[];
  graphics: readonly string[];
}

const cache = new WeakMap<LineIndex['outline'], Structure>();

/** Computed when first needed after an edit that changes it; the same object until the next. */
export function getStructure(state: EditorState): Structure {
  const index = getLineIndex(state);
  let structure = cache.get(index.outline);
  if (!structure) {
    structure = build(index);
    cache.set(index.outline, structure);
  }
  return structure;
}

function build({ lines }: LineIndex): Structure {
  const pairs: EnvironmentPair[] = [];
  const headings: Heading[] = [];
  const stack: PlacedMark[] = [];
  const open: PlacedMark[] = [];
  const names = {
    label: new Set<string>(),
    bibliography: new Set<string>(),
    'new-environment': new Set<string>(),
    package: new Set<string>(),
    graphics: new Set<string>(),
  };
  const macros = new Map<string, Macro>();
  lines.forEach(({ marks }, index) => {
    for (const mark of marks) {
      const placed = { line: index + 1, mark };
      if (mark.kind === 'begin') stack.push(placed);
      else if (mark.kind === 'end') close(placed, stack, pairs, open);
      else if (mark.kind === 'heading') {
        headings.push({ level: mark.count, title: readableTitle(mark.name), line: index + 1, lastLine: 0 });
      } else if (mark.kind === 'macro')
        macros.set(mark.name, { name: mark.name, count: mark.count, body: mark.body });
      else if (mark.kind in names) names[mark.kind as keyof typeof names].add(mark.name.trim());
    }
  });
  open.push(...stack);
  const isBody = ({ mark }: PlacedMark) => mark.name.trim() === 'document';
  const body: Partial<EnvironmentPair> = pairs.find(({ begin }) => isBody(begin)) ?? {
    begin: open.find(isBody),
  };
  endHeadings(headings, body.end ? body.end.line - 1 : lines.length);
  const pairsAt = new Map<number, EnvironmentPair[]>();
  const enter = (line: number, pair: EnvironmentPair) => {
    const there = pairsAt.get(line);
    if (there) there.push(pair);
    else pairsAt.set(line, [pair]);
  };
  for (const pair of pairs) {
    enter(pair.begin.line, pair);
    if (pair.end.line !== pair.begin.line) enter(pair.end.line, pair);
  }
  return {
    pairs,
    pairsAt,
    open: open.sort((a, b) => a.line - b.line || a.mark.from - b.mark.from),
    body: { begin: body.begin ?? null, end: body.end ?? null },
    headings,
    headingAt: new Map(headings.map((heading) => [heading.line, heading])),
    labels: [...names.label],
    citationKeys: [...names.bibliography],
    macros: [...macros.values()],
    environments: [...names['new-environment']],
    packages: [...names.package],
    graphics: [...names.graphics],
  };
}

/** An `\end` belongs to the nearest `\begin` of its name; environments opened after that were never closed. */
function close(end: PlacedMark, stack: PlacedMark[], pairs: EnvironmentPair[], open: PlacedMark[]): void {
  for (let i = stack.length - 1; i >= 0; i--) {
    const begin = stack[i]!;
    if (begin.mark.name !== end.mark.name) continue;
    open.push(...stack.splice(i + 1));
    stack.pop();
    pairs.push({ begin, end });
    return;
  }
}

function endHeadings(headings: Heading[], lastLine: number): void {
  const running: Heading[] = [];
  for (const heading of headings) {
    while (running.length && running[running.length - 1]!.level >= heading.level)
      running.pop()!.lastLine = heading.line - 1;
    running.push(heading);
  }
  for (const heading of running) heading.lastLine = Math.max(lastLine, heading.line);
}
