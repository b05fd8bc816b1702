/** Lines and objects of one column, in order, to LaTeX blocks. Environments are opened and closed on a stack. */
import {
  type ColumnEdges,
  type DisplayLine,
  isDisplay,
  loneTag,
  roomBetween,
  splitTag,
  writeDisplay,
} from './display.ts';
import { readHeading } from './headings.ts';
import { readLine } from './inline.ts';
import type { Line } from './lines.ts';
import { type Counter, findLabel, type Label, labelOption, readCounter } from './lists.ts';
import type { Box } from './model.ts';
import { counterCommands } from './section-numbers.ts';
import {
  dropFront,
  joinLines,
  plainStyle,
  plainText,
  type Span,
  type TextStyle,
  trimFront,
  writeSpans,
} from './spans.ts';
import type { ReadState } from './state.ts';
import { closeTheorem, type OpenTheorem, openTheorem } from './theorems.ts';

/** Something that is not lines of prose: a figure, a table, a listing. */
export interface PageObject {
  kind: 'figure' | 'table' | 'code' | 'algorithm' | 'rule';
  box: Box;
  /** Without float or caption. */
  latex: string;
  caption?: string;
}

export type Element = { kind: 'line'; line: Line } | { kind: 'object'; object: PageObject };

/** Room between two rows beyond which they are no rows of one display, in ems. */
const widestRoom = 1.7;

interface OpenList {
  env: 'itemize' | 'enumerate' | 'description' | 'quote' | 'abstract';
  contentX: number;
  labelX: number;
  counter: Counter | null;
  value: number;
}

export class BlockWriter {
  readonly #state: ReadState;
  readonly #edges: ColumnEdges;
  readonly #out: string[] = [];
  readonly #lists: OpenList[] = [];
  #paragraph: Span[][] = [];
  #paragraphHead = '';
  #last: Line | null = null;
  /** Where the last lines ended. */
  #recent: number[] = [];
  #displays: DisplayLine[] = [];
  #theorem: OpenTheorem | null = null;
  #glue = true;
  #caption: Span[] | null = null;
  endsParagraph = true;
  startsParagraph = true;

  constructor(state: ReadState, edges: ColumnEdges) {
    this.#state = state;
    this.#edges = edges;
  }

  write(elements: readonly Element[]): string {
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i] as Element;
      if (element.kind === 'object') i += this.#object(element.object, elements.slice(i + 1, i + 6));
      else if (this.#isCaptionOf(element.line, elements.slice(i + 1, i + 6)))
        i += elements.slice(i + 1).findIndex((e) => e.kind === 'object');
      else
        i += this.#line(
          element.line,
          elements.slice(i + 1, i + 60).map((e) => (e.kind === 'line' ? e.line : null)),
        );
    }
    const last = this.#last;
    this.endsParagraph =
      this.#displays.length > 0 ||
      this.#paragraph.length === 0 ||
      !last ||
      !endsOpen(last, this.#edges, this.#paragraph);
    this.#closeAll();
    return this.#out.join('');
  }

  /** Returns how many further lines it took. */
  #line(line: Line, following: (Line | null)[]): number {
    const list = this.#lists[this.#lists.length - 1];
    const label = findLabel(line);
    const heading =
      label?.kind === 'number' && !label.isBold
        ? null
        : readHeading(line, following, this.#edges, this.#state);
    if (heading) {
      this.#closeAll();
      const contents = readContents(heading.latex, following);
      if (contents > 0) {
        this.#push('\\tableofcontents\n\n');
        this.#glue = false;
        this.#last = null;
        return contents;
      }
      if (heading.number !== null && heading.level < 3) {
        this.#push(counterCommands(heading.number, this.#state.lastNumber));
        this.#state.lastNumber = heading.number;
      }
      this.#push(`${heading.latex}\n`);
      this.#glue = false;
      this.#last = null;
      return heading.taken;
    }
    const tag = this.#displays.length > 0 ? loneTag(line, this.#edges) : null;
    const numbered = this.#displays.at(-1);
    if (tag !== null && numbered && numbered.tag === null) {
      numbered.tag = tag;
      return 0;
    }
    const isLabelled = label !== null && this.#accepts(label, line, following);
    const itemLeft = list?.contentX ?? this.#edges.left;
    const isSetOff =
      (!this.#last || roomBetween(this.#last, line, this.#state.leading) > 0.3) &&
      (!following[0] || roomBetween(line, following[0], this.#state.leading) > 0.3);
    if (
      (!isLabelled || this.#isShown(line, label, isSetOff)) &&
      isDisplay(line, this.#edges, itemLeft, isSetOff)
    ) {
      this.#display(line);
      return 0;
    }
    this.#flushDisplays();
    if (isLabelled && label) {
      this.#item(line, label);
      this.#last = line;
      return 0;
    }
    const described = this.#describe(line, following);
    if (described) {
      this.#last = line;
      return 0;
    }
    this.#prose(line, following);
    this.#last = line;
    return 0;
  }

  /** A formula that begins as an item would: with its own number at the margin, or with one in the middle of the column. */
  #isShown(line: Line, label: Label | null, isSetOff: boolean): boolean {
    if (label?.kind !== 'number') return false;
    if (splitTag(line, this.#edges).tag !== null) return true;
    const left = line.x0 - this.#edges.left;
    const width = this.#edges.right - this.#edges.left;
    return isSetOff && left > 0.15 * width && Math.abs(left - (this.#edges.right - line.x1)) < 0.03 * width;
  }

  /** A label at the margin of running prose is a list only with company or a hanging indent. */
  #accepts(label: Label, line: Line, following: (Line | null)[]): boolean {
    const labelX = Math.min(...label.glyphs.map((g) => g.x));
    if (this.#lists.length > 0 || labelX > this.#edges.left + 0.45 * line.size)
      return label.kind !== 'custom' || this.#lists.length > 0 || labelX > this.#edges.left + 2;
    const next = following[0];
    if (label.kind === 'bullet') return true;
    if (!next) return label.kind === 'number';
    if (Math.abs(next.x0 - label.contentX) < 0.4 * line.size) return true;
    return following.some((l) => {
      const other = l ? findLabel(l) : null;
      return (
        other !== null &&
        other.kind === label.kind &&
        Math.abs(Math.min(...other.glyphs.map((g) => g.x)) - labelX) < 0.6 * line.size
      );
    });
  }

  #item(line: Line, label: Label): void {
    this.#flushParagraph();
    const labelX = Math.min(...label.glyphs.map((g) => g.x));
    const near = (list: OpenList) => Math.abs(list.contentX - label.contentX) < 0.45 * line.size;
    while (this.#lists.length > 0) {
      const top = this.#lists[this.#lists.length - 1] as OpenList;
      if (near(top) || (label.contentX > top.contentX && labelX >= top.contentX - 0.8 * line.size)) break;
      this.#closeList();
    }
    let top = this.#lists[this.#lists.length - 1];
    const wants = label.kind === 'bullet' ? 'itemize' : 'enumerate';
    let itemLabel = '';
    const counted =
      label.kind === 'number'
        ? readCounter(label, top?.counter && near(top) ? { counter: top.counter, value: top.value } : null)
        : null;
    if (top && near(top) && (top.env === wants || label.kind === 'custom')) {
      if (label.kind === 'custom') itemLabel = `[${this.#labelLatex(line, label)}]`;
      else if (counted && (counted.counter !== top.counter || counted.value !== top.value + 1)) {
        if (counted.counter !== top.counter) {
          this.#closeList();
          top = undefined;
        } else itemLabel = `[${this.#labelLatex(line, label)}]`;
      }
    } else if (top && near(top)) {
      this.#closeList();
      top = undefined;
    }
    top = this.#lists[this.#lists.length - 1];
    if (!top || !near(top)) {
      const depth = this.#lists.filter((l) => l.env === wants).length + 1;
      if (this.#lists.length >= 4 || depth > 4) {
        this.#prose(line, []);
        return;
      }
      const env = label.kind === 'bullet' || label.kind === 'custom' ? 'itemize' : 'enumerate';
      let options = '';
      if (counted) {
        const custom = labelOption(label, counted.counter, depth);
        const parts = [
          ...(custom ? [`label=${custom}`] : []),
          ...(counted.value !== 1 ? [`start=${counted.value}`] : []),
        ];
        if (parts.length > 0) {
          this.#state.packages.add('enumitem');
          options = `[${parts.join(', ')}]`;
        }
      } else if (label.kind === 'custom') itemLabel = `[${this.#labelLatex(line, label)}]`;
      this.#openEnvironment(env, options);
      top = {
        env,
        contentX: label.contentX,
        labelX,
        counter: counted?.counter ?? null,
        value: counted ? counted.value - 1 : 0,
      };
      this.#lists.push(top);
    }
    if (counted && itemLabel === '') top.value = counted.value;
    this.#trimBlank();
    this.#push(`${this.#pad()}\\item${itemLabel} `);
    this.#glue = true;
    const rest: Line = { ...line, glyphs: line.glyphs.filter((g) => !label.glyphs.includes(g)) };
    this.#paragraph = [trimFront(readLine(rest, this.#state.inline))];
  }

  #labelLatex(line: Line, label: Label): string {
    const spans = readLine({ ...line, glyphs: label.glyphs, rules: [] }, this.#state.inline);
    const latex = writeSpans(spans);
    return /[\]]/.test(latex) ? `{${latex}}` : latex;
  }

  /** Description items: a bold term, then its text; later lines hang. */
  #describe(line: Line, following: (Line | null)[]): boolean {
    const top = this.#lists[this.#lists.length - 1];
    const spans = readLine(line, this.#state.inline);
    const first = spans[0];
    if (first?.kind !== 'text' || !first.style.bold || first.text.trim().length > 60) return false;
    if (/[.:]\s*$/.test(first.text) && top?.env !== 'description') return false;
    const at = line.x0;
    const second = spans.slice(1).find((s) => s.kind !== 'text' || s.text.trim() !== '');
    if (!second) return false;
    const isOpen = top?.env === 'description' && Math.abs(at - top.labelX) < 0.4 * line.size;
    const next = following[0];
    const hangs =
      next !== null &&
      next !== undefined &&
      next.x0 - at > 1.2 * line.size &&
      next.x0 - at < 4 * line.size &&
      next.baseline - line.baseline < 1.9 * line.size;
    const neighbour =
      next !== null &&
      next !== undefined &&
      Math.abs(next.x0 - at) < 0.3 * line.size &&
      startsBold(next, this.#state) &&
      this.#last !== null;
    if (!isOpen && !hangs && !(neighbour && following[1] && following[1].x0 - at > 1.2 * line.size))
      return false;
    if (!isOpen && !hangs && !neighbour) return false;
    this.#flushParagraph();
    if (!isOpen) {
      while (this.#lists.length > 0 && (this.#lists[this.#lists.length - 1] as OpenList).contentX > at + 2)
        this.#closeList();
      this.#openEnvironment('description', '');
      this.#lists.push({
        env: 'description',
        contentX: at + 1.2 * line.size,
        labelX: at,
        counter: null,
        value: 0,
      });
    }
    const term = writeSpans([{ ...first, text: first.text.trim(), style: { ...first.style, bold: false } }]);
    this.#trimBlank();
    this.#push(`${this.#pad()}\\item[${/[\]]/.test(term) ? `{${term}}` : term}] `);
    this.#glue = true;
    this.#paragraph = [trimFront(spans.slice(1))];
    return true;
  }

  #prose(line: Line, following: (Line | null)[]): void {
    while (this.#lists.length > 0) {
      const top = this.#lists[this.#lists.length - 1] as OpenList;
      const left = top.env === 'description' ? top.labelX + 0.5 * line.size : top.contentX;
      if (line.x0 > left - 0.35 * line.size || this.#goesOnAtMargin(line, top)) break;
      this.#flushParagraph();
      this.#closeList();
    }
    const spans = readLine(line, this.#state.inline);
    const theorem = runInGap(spans, line) > 0.75 ? null : openTheorem(spans, line, this.#state);
    if (theorem) {
      this.#flushParagraph();
      if (this.#theorem) this.#endTheorem();
      while (this.#lists.length > 0) this.#closeList();
      this.#openEnvironment(theorem.env, theorem.option);
      this.#theorem = theorem;
      this.#paragraph = [theorem.rest];
      this.#glue = true;
      if (theorem.endsHere) this.#endTheorem();
      return;
    }
    const isNew = this.#beginsParagraph(line, following);
    if (this.#theorem && isNew && closeTheorem(this.#theorem, spans, line, this.#last)) this.#endTheorem();
    if (isNew) {
      this.#flushParagraph();
      if (this.#lists.length === 0 && (this.#beginsQuote(line, following) || this.#followsAbstract())) {
        this.#openQuote(line, following);
      } else if (isCentred(line, this.#edges) && this.#lists.length === 0) {
        this.#centre(spans, line);
        return;
      }
      const runIn = this.#runInHeading(spans, line);
      if (runIn) return;
    } else if (this.#paragraph.length > 0 && this.#needsBreak(line, following))
      this.#paragraph.push([{ kind: 'raw', latex: '\\\\' }]);
    this.#recent = [...this.#recent.slice(-2), line.x1];
    this.#paragraph.push(this.#stripQed(spans));
  }

  /** Items typed by hand do not hang: a full line goes on below its label. */
  #goesOnAtMargin(line: Line, list: OpenList): boolean {
    const last = this.#last;
    if (!last || this.#paragraph.length === 0 || list.env === 'quote') return false;
    return (
      Math.abs(line.x0 - list.labelX) < 0.3 * line.size &&
      Math.abs(list.labelX - this.#edges.left) < 0.3 * line.size &&
      last.x1 > this.#edges.right - 1.5 * line.size &&
      line.baseline - last.baseline < 1.15 * this.#state.leading
    );
  }

  /** Lines set in on both sides by the same room, more than one. */
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
      this.#out[this.#out.length - 1] ?? '',
    );
  }

  #openQuote(line: Line, following: readonly (Line | null)[]): void {
    const contentX = Math.min(line.x0, following[0]?.x0 ?? line.x0);
    const isAbstract = this.#followsAbstract();
    if (isAbstract) this.#out.pop();
    const env = isAbstract ? 'abstract' : 'quote';
    this.#openEnvironment(env, '');
    this.#lists.push({ env, contentX, labelX: contentX, counter: null, value: 0 });
    this.#glue = true;
  }

  #stripQed(spans: Span[]): Span[] {
    const last = spans[spans.length - 1];
    if (
      this.#theorem?.env === 'proof' &&
      last?.kind === 'math' &&
      /^(\\square|\\blacksquare|\\Box)$/.test(last.latex)
    ) {
      const rest = spans.slice(0, -1);
      this.#theorem.isFinished = true;
      return rest;
    }
    return spans;
  }

  #runInHeading(spans: Span[], line: Line): boolean {
    const first = spans[0];
    if (first?.kind !== 'text' || !first.style.bold || this.#lists.length > 0) return false;
    if (spans.length < 2 || runInGap(spans, line) < 0.75) return false;
    const name = writeSpans([{ ...first, text: first.text.trim(), style: plainStyle }]);
    const numbered = /^(\d+(?:\.\d+)+)\s+(.*)$/.exec(name);
    this.#push(`${this.#state.isParagraphHeading ? '' : ''}\\paragraph{${numbered ? numbered[2] : name}} `);
    this.#glue = true;
    this.#paragraph = [trimFront(spans.slice(1))];
    return true;
  }

  #centre(spans: Span[], line: Line): void {
    const size = line.size / this.#state.bodySize;
    const command =
      size > 1.6
        ? '\\LARGE '
        : size > 1.33
          ? '\\Large '
          : size > 1.12
            ? '\\large '
            : size < 0.92
              ? '\\small '
              : '';
    const latex = writeSpans(spans).trim();
    const previous = this.#out[this.#out.length - 1] ?? '';
    if (
      previous.startsWith('\\begin{center}\n  ') &&
      !/tabular|includegraphics/.test(previous) &&
      this.#paragraph.length === 0
    ) {
      this.#out[this.#out.length - 1] = previous.replace(
        /\n\\end\{center\}\n\n$/,
        ` \\\\\n  ${command ? `{${command}${latex}}` : latex}\n\\end{center}\n\n`,
      );
      return;
    }
    this.#push(`\\begin{center}\n  ${command ? `{${command}${latex}}` : latex}\n\\end{center}\n\n`);
    this.#glue = false;
  }

  /** Whether a line begins a paragraph of its own after the line before. */
  #beginsParagraph(line: Line, following: readonly (Line | null)[]): boolean {
    const last = this.#last;
    if (!last || this.#paragraph.length === 0) {
      return this.#paragraph.length === 0 && (!this.#glue || this.#indent(line) > 0.6 * line.size);
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
    if (this.#lists.length === 0 && turnsCentred && this.#needsBreak(line, following)) return true;
    return false;
  }

  #indent(line: Line): number {
    const top = this.#lists[this.#lists.length - 1];
    const left = top
      ? top.env === 'description'
        ? top.contentX + 1.2 * line.size
        : top.contentX
      : this.#edges.left;
    return line.x0 - left;
  }

  #endsInHyphen(): boolean {
    const last = this.#paragraph[this.#paragraph.length - 1]?.at(-1);
    return last?.kind === 'text' && /\p{L}[-‐\u00ad]\s*$/u.test(last.text);
  }

  /** The line before ended although this line's first word would have fitted: a break was asked for. */
  #needsBreak(line: Line, following: readonly (Line | null)[]): boolean {
    const last = this.#last;
    if (!last || this.#endsInHyphen()) return false;
    // Beside a picture the lines are shorter, all by the same.
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
    const display = splitTag(line, this.#edges);
    const previous = this.#displays[this.#displays.length - 1];
    const room = previous ? roomBetween(previous.line, line, this.#state.leading) : 0;
    if (room > widestRoom || this.#displays.length > 40) this.#flushDisplays();
    this.#displays.push({ ...display, room });
    this.#last = line;
  }

  #flushDisplays(): void {
    if (this.#displays.length === 0) return;
    const hadText = this.#paragraph.length > 0;
    if (hadText) this.#writeParagraph(false);
    const latex = writeDisplay(this.#displays, {
      packages: this.#state.packages,
    });
    this.#push(`${latex}\n`);
    this.#displays = [];
    this.#glue = true;
  }

  /** A caption above its table or listing is kept until that comes. */
  #isCaptionOf(line: Line, following: readonly Element[]): boolean {
    const spans = readLine(line, this.#state.inline);
    const caption = readCaption(spans);
    if (!caption) return false;
    const next = following.find((e) => e.kind === 'object');
    if (next?.kind !== 'object' || next.object.kind === 'rule') return false;
    const lines = following.slice(0, following.indexOf(next));
    const more = lines.flatMap((e) => (e.kind === 'line' ? [e.line] : []));
    const last = more[more.length - 1] ?? line;
    const isNear = next.object.box.y0 - last.y1 < 4 * this.#state.bodySize;
    // Further lines are the caption's when they are set as tight and as small as it.
    const isOne = [line, ...more].every(
      (l, i, all) =>
        i === 0 ||
        (l.baseline - (all[i - 1] as Line).baseline < 1.35 * this.#state.bodySize &&
          (Math.abs(l.size - line.size) < 0.3 || plainText(caption.rest) === '')),
    );
    if (!isNear || !isOne || more.length > 3 || caption.kind === 'figure') return false;
    if (more.length > 0 && line.size > 0.97 * this.#state.bodySize && plainText(caption.rest) !== '') {
      if (more.some((l) => l.x0 < line.x0 - 1)) return false;
    }
    this.#caption = joinLines(
      [caption.rest, ...more.map((l) => readLine(l, this.#state.inline))],
      this.#state.knows,
    );
    return true;
  }

  /** Returns how many lines of caption below it took. */
  #object(object: PageObject, following: readonly Element[]): number {
    this.#flushDisplays();
    this.#flushParagraph();
    while (
      this.#lists.length > 0 &&
      object.box.x0 < (this.#lists[this.#lists.length - 1] as OpenList).contentX - 2
    )
      this.#closeList();
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
    this.#push(`${withCaption(object, caption, isAbove)}\n\n`);
    this.#glue = false;
    this.#last = null;
    return taken;
  }

  #flushParagraph(): void {
    this.#flushDisplays();
    if (this.#paragraph.length > 0) this.#writeParagraph(true);
    else if (this.#glue && this.#out.length > 0) {
      this.#push('\n');
      this.#glue = false;
    }
  }

  #writeParagraph(isEnd: boolean): void {
    const base: TextStyle = this.#theorem?.isItalic ? { ...plainStyle, italic: true } : plainStyle;
    const latex = writeSpans(joinLines(this.#paragraph, this.#state.knows), base).trim();
    this.#paragraph = [];
    this.#push(`${this.#paragraphHead}${latex}${isEnd ? '\n\n' : '\n'}`);
    this.#paragraphHead = '';
    this.#glue = !isEnd;
  }

  #openEnvironment(name: string, options: string): void {
    this.#push(`${this.#pad()}\\begin{${name}}${options}\n`);
  }

  #pad(): string {
    return '  '.repeat(this.#lists.length);
  }

  #closeList(): void {
    this.#flushParagraph();
    const list = this.#lists.pop();
    if (!list) return;
    this.#trimBlank();
    this.#push(`${this.#pad()}\\end{${list.env}}\n`);
    this.#glue = true;
  }

  #endTheorem(): void {
    this.#flushParagraph();
    while (this.#lists.length > 0) this.#closeList();
    if (this.#theorem) {
      this.#trimBlank();
      this.#push(`\\end{${this.#theorem.env}}\n\n`);
    }
    this.#theorem = null;
    this.#glue = false;
  }

  /** No empty line before an \end. */
  #trimBlank(): void {
    const last = this.#out.length - 1;
    const text = this.#out[last];
    if (text !== undefined) this.#out[last] = text.replace(/\n+$/, '\n');
  }

  #closeAll(): void {
    this.#flushParagraph();
    while (this.#lists.length > 0) this.#closeList();
    if (this.#theorem) this.#endTheorem();
    const last = this.#out[this.#out.length - 1];
    if (last !== undefined && !last.endsWith('\n\n')) this.#push('\n');
  }

  #push(text: string): void {
    this.#out.push(text);
  }
}

/** Room after the bold words that begin a line, in ems; 0 when there are none. */
function runInGap(spans: readonly Span[], line: Line): number {
  const first = spans[0];
  if (first?.kind !== 'text' || !first.style.bold) return 0;
  const at = line.glyphs.findIndex((g) => !g.font.bold);
  const end = line.glyphs[at - 1];
  const after = line.glyphs[at];
  return end && after ? (after.x - end.x - end.width) / line.size : 0;
}

const captionNumber = String.raw`\s*(?:[A-Z]?\d+(?:[.-]\d+)*|[IVX]+)\s*(?:[:.–—-]\s*|$)`;

const captionKinds: [RegExp, 'figure' | 'table' | 'code'][] = [
  [
    new RegExp(
      `^(?:fig(?:ure|\\.)?|abb(?:ildung|\\.)?|figura|figuur|рис(?:унок|\\.)?|rys(?:unek|\\.)?|obr(?:ázek|\\.)?|grafik|wykres|şekil)${captionNumber}`,
      'iu',
    ),
    'figure',
  ],
  [
    new RegExp(
      `^(?:table|tab(?:elle|leau|la|el|ulka|\\.)?|tabela|таблица|табл\\.|cuadro|tablica|tablo)${captionNumber}`,
      'iu',
    ),
    'table',
  ],
  [new RegExp(`^(?:listing|code|listagem|código)${captionNumber}`, 'iu'), 'code'],
];

/** A line that begins as a caption does, and the caption's own text. */
function readCaption(spans: readonly Span[]): { kind: 'figure' | 'table' | 'code'; rest: Span[] } | null {
  const text = plainText(spans);
  for (const [pattern, kind] of captionKinds) {
    const match = pattern.exec(text);
    if (match) return { kind, rest: dropFront(spans, match[0].length) };
  }
  return null;
}

/** The object as a float where it has a caption. */
function withCaption(object: PageObject, caption: string | null, isAbove: boolean): string {
  if (caption === null || object.kind === 'algorithm' || object.kind === 'rule') return object.latex;
  if (object.kind === 'code') {
    return object.latex.startsWith('\\begin{lstlisting}[')
      ? object.latex.replace('[', `[caption={${caption}},`)
      : `${object.latex}\n\n\\noindent ${caption}`;
  }
  const inner = object.latex.replace(/^\\begin\{center\}\n/, '').replace(/\n\\end\{center\}$/, '');
  const env = object.kind === 'figure' ? 'figure' : 'table';
  const parts = isAbove ? [`  \\caption{${caption}}`, inner] : [inner, `  \\caption{${caption}}`];
  return `\\begin{${env}}[htbp]\n  \\centering\n${parts.join('\n')}\n\\end{${env}}`;
}

/** After a heading such as "Contents": how many lines, the last one's number included, are entries. 0 when it is no table of contents. */
function readContents(heading: string, following: readonly (Line | null)[]): number {
  if (
    !/\{(Contents|Table of Contents|Inhaltsverzeichnis|Inhalt|Table des matières|Sommaire|Índice|Índice general|Indice|Inhoudsopgave|Sumário|Spis treści|Obsah|Содержание|Оглавление|Cuprins|İçindekiler)\}$/i.test(
      heading,
    )
  )
    return 0;
  let taken = 0;
  for (const line of following) {
    const last = line ? [...line.glyphs].sort((a, b) => b.x - a.x)[0] : undefined;
    const digits = line
      ? line.glyphs.filter((g) => g.x > line.x1 - 2.2 * line.size && /\d|[ivxl]/.test(g.text)).length
      : 0;
    const before =
      line && last
        ? Math.max(...line.glyphs.filter((g) => g.x < line.x1 - 2.2 * line.size).map((g) => g.x + g.width), 0)
        : 0;
    const isDotted = line !== null && line.glyphs.filter((g) => g.text === '.').length > 6;
    if (
      !line ||
      !last ||
      digits === 0 ||
      (!isDotted && line.x1 - before < 1.2 * line.size && before > 0 && line.x1 - before < 3)
    )
      break;
    taken += 1;
  }
  return taken;
}

function startsBold(line: Line, state: ReadState): boolean {
  const first = readLine(line, state.inline)[0];
  return first?.kind === 'text' && first.style.bold;
}

export function isCentred(line: Line, edges: ColumnEdges): boolean {
  const left = line.x0 - edges.left;
  const right = edges.right - line.x1;
  const width = edges.right - edges.left;
  return left > 0.06 * width && Math.abs(left - right) < 0.02 * width + 2;
}

/** A last line that reaches the right edge, or does not end a sentence, goes on overleaf. */
function endsOpen(line: Line, edges: ColumnEdges, paragraph: readonly Span[][]): boolean {
  const text = plainText(paragraph[paragraph.length - 1] ?? []);
  const reaches = line.x1 > edges.right - 1.5 * line.size;
  return reaches && !/[.!?:]["”’»)]?$/.test(text);
}

export { dropFront };
