/** Lines and objects of one column, in order, to LaTeX blocks. */

import { readLine } from '../lines/inline.ts';
import type { Line } from '../lines/lines.ts';
import { joinLines, type Span, writeSpans } from '../lines/spans.ts';
import { boundsOf } from '../model.ts';
import type { ReadState } from '../state.ts';
import { type Element, type PageObject, readCaption, readCaptionAbove, withCaption } from './captions.ts';
import { readContents } from './contents.ts';
import {
  type ColumnEdges,
  isCentred,
  isDisplay,
  isShown,
  loneTag,
  placeDisplay,
  roomBetween,
  standsApart,
} from './display.ts';
import { Flow, type OpenList } from './flow.ts';
import { readHeading, readNamed, readRunIn } from './headings.ts';
import { endsOpen, isQed, runInGap, withoutQed } from './line-ends.ts';
import { ListWriter } from './list-writer.ts';
import { findLabel } from './lists.ts';
import { counterCommands, isCapitals } from './section-numbers.ts';
import { closeTheorem, openTheorem } from './theorems.ts';

/** Rows further apart than this belong to different displays, in ems. */
const widestRoom = 1.7;

/** Sizes of centred lines: from this many ems of the body text on. */
const centredSizes: [number, string][] = [
  [1.6, '\\LARGE '],
  [1.33, '\\Large '],
  [1.12, '\\large '],
  [0.92, ''],
];

export class BlockWriter {
  readonly #state: ReadState;
  readonly #edges: ColumnEdges;
  readonly #flow: Flow;
  readonly #listWriter: ListWriter;
  #last: Line | null = null;
  /** Where the last lines ended. */
  #recent: number[] = [];
  #caption: Span[] | null = null;
  endsParagraph = true;
  startsParagraph = true;

  constructor(state: ReadState, edges: ColumnEdges) {
    this.#state = state;
    this.#edges = edges;
    this.#flow = new Flow(state);
    this.#listWriter = new ListWriter(state, edges, this.#flow);
  }

  write(elements: readonly Element[]): string {
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i] as Element;
      if (element.kind === 'object') i += this.#object(element.object, elements.slice(i + 1, i + 6));
      else {
        // it is kept until its object comes
        this.#caption = readCaptionAbove(element.line, elements.slice(i + 1, i + 6), this.#last, this.#state);
        i += this.#caption
          ? elements.slice(i + 1).findIndex((e) => e.kind === 'object')
          : this.#line(
              element.line,
              elements.slice(i + 1, i + 60).map((e) => (e.kind === 'line' ? e.line : null)),
            );
      }
    }
    const last = this.#last;
    this.endsParagraph =
      this.#flow.displays.length > 0 ||
      this.#flow.paragraph.length === 0 ||
      !last ||
      !endsOpen(last, this.#edges, this.#flow.paragraph);
    this.#flow.closeAll();
    return this.#flow.out.join('');
  }

  /** Returns how many more lines it consumed. */
  #line(line: Line, following: (Line | null)[]): number {
    const list = this.#flow.lists[this.#flow.lists.length - 1];
    const label = findLabel(line);
    const runIn = readRunIn(line, following, this.#state);
    if (runIn) {
      this.#flow.closeAll();
      this.#flow.push(counterCommands(runIn.number, this.#state.lastNumber));
      this.#state.lastNumber = runIn.number;
      this.#state.numbering.pass({ kind: 'heading', number: runIn.number });
      this.#flow.push(`${runIn.latex}\n`);
      this.#flow.paragraph = [runIn.rest];
      this.#flow.glue = true;
      this.#last = following[runIn.taken - 1] ?? line;
      return runIn.taken;
    }
    const contents = readContents(line, following, this.#state);
    if (contents) {
      this.#flow.closeAll();
      this.#flow.push(`${contents.latex}\n\n`);
      this.#flow.glue = false;
      this.#last = null;
      return contents.taken;
    }
    const isItem = label?.kind === 'number' && !label.isBold && line.size < 1.15 * this.#state.bodySize;
    const heading =
      isItem && !isCapitals(line) ? null : readHeading(line, following, this.#edges, this.#state, this.#last);
    if (heading) {
      this.#flow.closeAll();
      if (heading.number !== null && heading.level < 3) {
        this.#flow.push(counterCommands(heading.number, this.#state.lastNumber));
        this.#state.lastNumber = heading.number;
        this.#state.numbering.pass({ kind: 'heading', number: heading.number });
      }
      this.#flow.push(`${heading.latex}\n`);
      this.#flow.glue = false;
      this.#last = null;
      return heading.taken;
    }
    const tag = this.#flow.displays.length > 0 ? loneTag(line, this.#edges) : null;
    const numbered = this.#flow.displays.at(-1);
    if (tag !== null && numbered && numbered.tag === null) {
      numbered.tag = tag;
      return 0;
    }
    if (this.#flow.theorem?.env === 'proof' && isQed(line, this.#edges)) {
      this.#flow.theorem.isFinished = true;
      return 0;
    }
    const isLabelled = label !== null && this.#listWriter.accepts(label, line, following);
    const itemLeft = list?.contentX ?? this.#edges.left;
    const isNumber = following[0] && loneTag(following[0], this.#edges) !== null;
    const below = isNumber ? following.slice(1) : following;
    const near = [this.#flow.displays.at(-1)?.line, ...below];
    const isSetOff = standsApart(line, this.#last, below[0] ?? null, this.#state.leading);
    if (
      (!isLabelled || (label?.kind === 'number' && isShown(line, this.#edges, isSetOff))) &&
      isDisplay(this.#withoutQed(line) ?? line, this.#edges, itemLeft, isSetOff, near)
    ) {
      this.#display(line);
      return 0;
    }
    this.#flow.flushDisplays();
    if (isLabelled && label) {
      if (!this.#listWriter.item(line, label)) this.#prose(line, []);
      this.#last = line;
      return 0;
    }
    const described = this.#listWriter.describe(line, following, this.#last);
    if (described) {
      this.#last = line;
      return 0;
    }
    this.#prose(line, following);
    this.#last = line;
    return 0;
  }

  #prose(line: Line, following: (Line | null)[]): void {
    while (this.#flow.lists.length > 0) {
      const top = this.#flow.lists[this.#flow.lists.length - 1] as OpenList;
      const left = top.env === 'description' ? top.labelX + 0.5 * line.size : top.contentX;
      if (line.x0 > left - 0.35 * line.size || this.#listWriter.goesOnAtMargin(line, top, this.#last)) break;
      this.#flow.flushParagraph();
      this.#flow.closeList();
    }
    const spans = readLine(line, this.#state.inline);
    const theorem = runInGap(spans, line) > 0.75 ? null : openTheorem(spans, line, this.#state);
    if (theorem) {
      this.#flow.flushParagraph();
      if (this.#flow.theorem) this.#flow.endTheorem();
      while (this.#flow.lists.length > 0) this.#flow.closeList();
      this.#flow.push(theorem.before);
      this.#flow.openEnvironment(theorem.env, theorem.option);
      this.#flow.theorem = theorem;
      this.#flow.paragraph = [theorem.rest];
      this.#flow.glue = true;
      if (theorem.endsHere) this.#flow.endTheorem();
      return;
    }
    const isNew = this.#beginsParagraph(line, following);
    if (this.#flow.theorem && isNew && closeTheorem(this.#flow.theorem, spans, line, this.#last))
      this.#flow.endTheorem();
    if (isNew) {
      this.#flow.flushParagraph();
      if (this.#flow.lists.length === 0 && (this.#beginsQuote(line, following) || this.#followsAbstract())) {
        this.#openQuote(line, following);
      } else if (isCentred(line, this.#edges) && this.#flow.lists.length === 0) {
        this.#centre(spans, line);
        return;
      }
      const runIn = this.#runInHeading(spans, line);
      if (runIn) return;
    } else if (this.#flow.paragraph.length > 0 && this.#needsBreak(line, following))
      this.#flow.paragraph.push([{ kind: 'raw', latex: '\\\\' }]);
    this.#recent = [...this.#recent.slice(-2), line.x1];
    this.#flow.paragraph.push(this.#stripQed(spans));
  }

  /** Two lines or more, indented by the same amount on both sides. */
  #beginsQuote(line: Line, following: readonly (Line | null)[]): boolean {
    const next = following[0];
    if (!next || next.baseline - line.baseline > 1.5 * line.size) return false;
    const left = Math.min(line.x0, next.x0) - this.#edges.left;
    const right = this.#edges.right - line.x1;
    const isSetIn = left > 1.2 * line.size && Math.abs(left - right) < 0.35 * line.size;
    return (
      isSetIn && Math.abs(line.x0 - next.x0) < 2 * line.size && next.x0 - this.#edges.left > 1.2 * line.size
    );
  }

  #followsAbstract(): boolean {
    return /^\\begin\{center\}\n\s*\{?(?:\\\w+ )?\\textbf\{(?:Abstract|Zusammenfassung|Résumé|Resumen|Resumo|Sommario|Streszczenie|Samenvatting|Аннотация)\.?\}\}?\n/.test(
      this.#flow.out[this.#flow.out.length - 1] ?? '',
    );
  }

  #openQuote(line: Line, following: readonly (Line | null)[]): void {
    const contentX = Math.min(line.x0, following[0]?.x0 ?? line.x0);
    const isAbstract = this.#followsAbstract();
    if (isAbstract) this.#flow.out.pop();
    const env = isAbstract ? 'abstract' : 'quote';
    this.#flow.openEnvironment(env, '');
    this.#flow.lists.push({ env, contentX, labelX: contentX, counter: null, value: 0 });
    this.#flow.glue = true;
  }

  #stripQed(spans: Span[]): Span[] {
    const last = spans[spans.length - 1];
    if (
      this.#flow.theorem?.env === 'proof' &&
      last?.kind === 'math' &&
      /^(\\square|\\blacksquare|\\Box)$/.test(last.latex)
    ) {
      const rest = spans.slice(0, -1);
      this.#flow.theorem.isFinished = true;
      return rest;
    }
    return spans;
  }

  #runInHeading(spans: Span[], line: Line): boolean {
    const room = this.#last ? roomBetween(this.#last, line, this.#state.leading) : 0;
    const named = this.#flow.lists.length > 0 ? null : readNamed(spans, line, room, this.#state);
    if (!named) return false;
    this.#flow.push(named.latex);
    this.#flow.glue = true;
    this.#flow.paragraph = [named.rest];
    return true;
  }

  #centre(spans: Span[], line: Line): void {
    const size = line.size / this.#state.bodySize;
    const command = centredSizes.find(([least]) => size > least)?.[1] ?? '\\small ';
    const latex = command ? `{${command}${writeSpans(spans).trim()}}` : writeSpans(spans).trim();
    const previous = this.#flow.out[this.#flow.out.length - 1] ?? '';
    if (
      previous.startsWith('\\begin{center}\n  ') &&
      !/tabular|includegraphics/.test(previous) &&
      this.#flow.paragraph.length === 0
    ) {
      this.#flow.out[this.#flow.out.length - 1] = previous.replace(
        /\n\\end\{center\}\n\n$/,
        ` \\\\\n  ${latex}\n\\end{center}\n\n`,
      );
      return;
    }
    this.#flow.push(`\\begin{center}\n  ${latex}\n\\end{center}\n\n`);
    this.#flow.glue = false;
  }

  /** Whether a line begins a new paragraph. */
  #beginsParagraph(line: Line, following: readonly (Line | null)[]): boolean {
    const last = this.#last;
    if (!last || this.#flow.paragraph.length === 0) {
      return this.#flow.paragraph.length === 0 && (!this.#flow.glue || this.#indent(line) > 0.6 * line.size);
    }
    const gap = line.y0 - last.y1;
    const leading = line.baseline - last.baseline;
    if (gap > 0.85 * line.size && leading > Math.max(1.55 * line.size, 1.25 * this.#state.leading))
      return true;
    if (Math.abs(line.size - last.size) > 0.12 * line.size && leading > 1.3 * line.size) return true;
    const indent = this.#indent(line);
    if (indent > 0.6 * line.size && this.#indent(last) < 0.4 * line.size && indent < 5 * line.size)
      return true;
    const turnsCentred = isCentred(line, this.#edges) !== isCentred(last, this.#edges);
    if (this.#flow.lists.length === 0 && turnsCentred && this.#needsBreak(line, following)) return true;
    return false;
  }

  #indent(line: Line): number {
    const top = this.#flow.lists[this.#flow.lists.length - 1];
    const left = top
      ? top.env === 'description'
        ? top.contentX + 1.2 * line.size
        : top.contentX
      : this.#edges.left;
    return line.x0 - left;
  }

  #endsInHyphen(): boolean {
    const last = this.#flow.paragraph[this.#flow.paragraph.length - 1]?.at(-1);
    return last?.kind === 'text' && /\p{L}[-‐\u00ad]\s*$/u.test(last.text);
  }

  /** The previous line ended although this line's first word would have fitted: a forced break. */
  #needsBreak(line: Line, following: readonly (Line | null)[]): boolean {
    const last = this.#last;
    if (!last || this.#endsInHyphen()) return false;
    // next to a picture, all lines are shorter by the same amount
    const near = [...this.#recent, line.x1, ...following.slice(0, 3).map((l) => l?.x1 ?? Number.NaN)];
    if (near.filter((x) => Math.abs(x - last.x1) < 0.25 * line.size).length >= 3) return false;
    let end = line.glyphs[0]?.x ?? 0;
    for (const g of line.glyphs) {
      if (g.x - end > 0.17 * line.size) break;
      end = Math.max(end, g.x + g.width);
    }
    return last.x1 + 0.4 * line.size + (end - line.x0) < this.#edges.right - 0.8 * line.size;
  }

  #display(line: Line): void {
    const previous = this.#flow.displays[this.#flow.displays.length - 1];
    const room = previous ? roomBetween(previous.line, line, this.#state.leading) : 0;
    if (room > widestRoom || this.#flow.displays.length > 40) this.#flow.flushDisplays();
    const bare = this.#withoutQed(line);
    if (bare && this.#flow.theorem) this.#flow.theorem.isFinished = true;
    const row = { ...placeDisplay(bare ?? line, this.#edges, room), endsProof: bare !== null };
    this.#flow.displays.push(row);
    // the number of a split stands between its rows
    this.#last = row.tag === null ? line : { ...line, ...boundsOf(row.glyphs.map((g) => g.ink)) };
  }

  #withoutQed(line: Line): Line | null {
    return this.#flow.theorem?.env === 'proof' ? withoutQed(line, this.#edges) : null;
  }

  /** Returns how many caption lines below it were consumed. */
  #object(object: PageObject, following: readonly Element[]): number {
    this.#flow.flushDisplays();
    this.#flow.flushParagraph();
    while (
      this.#flow.lists.length > 0 &&
      object.box.x0 < (this.#flow.lists[this.#flow.lists.length - 1] as OpenList).contentX - 2
    )
      this.#flow.closeList();
    let taken = 0;
    const lines: Span[][] = this.#caption ? [this.#caption] : [];
    const isAbove = lines.length > 0;
    if (!isAbove && object.kind !== 'rule') {
      let last: Line | null = null;
      for (const element of following) {
        if (element.kind !== 'line') break;
        const { line } = element;
        const spans = readLine(line, this.#state.inline);
        if (last === null) {
          const caption = readCaption(spans);
          if (!caption || line.y0 - object.box.y1 > 4 * this.#state.bodySize) break;
          lines.push(caption.rest);
        } else {
          if (line.baseline - last.baseline > 1.45 * line.size || Math.abs(line.size - last.size) > 0.3)
            break;
          lines.push(spans);
        }
        last = line;
        taken += 1;
      }
    }
    const caption = lines.length > 0 ? writeSpans(joinLines(lines, this.#state.knows)).trim() : null;
    this.#caption = null;
    this.#flow.push(`${withCaption(object, caption, isAbove)}\n\n`);
    this.#flow.glue = false;
    this.#last = null;
    return taken;
  }
}
