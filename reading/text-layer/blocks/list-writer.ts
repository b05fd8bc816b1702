/** Items of lists written into the flow: which label belongs to which list, and where a new one begins. */

import { readLine } from '../lines/inline.ts';
import type { Line } from '../lines/lines.ts';
import { endsOpen, trimFront, writeSpans } from '../lines/spans.ts';
import type { ReadState } from '../state.ts';
import type { ColumnEdges } from './display.ts';
import type { Flow, OpenList } from './flow.ts';
import { findLabel, type Label, labelOption, readCounter } from './lists.ts';
import { theoremHead } from './theorems.ts';

export class ListWriter {
  readonly #state: ReadState;
  readonly #edges: ColumnEdges;
  readonly #flow: Flow;

  constructor(state: ReadState, edges: ColumnEdges, flow: Flow) {
    this.#state = state;
    this.#edges = edges;
    this.#flow = flow;
  }

  /** A label at the margin of running prose begins a list only with other items or a hanging indent. */
  accepts(label: Label, line: Line, following: (Line | null)[]): boolean {
    const labelX = Math.min(...label.glyphs.map((g) => g.x));
    if (this.#flow.lists.length > 0 || labelX > this.#edges.left + 0.45 * line.size)
      return label.kind !== 'custom' || this.#flow.lists.length > 0 || labelX > this.#edges.left + 2;
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

  /** False if lists are nested too deep for another one. */
  item(line: Line, label: Label): boolean {
    this.#flow.flushParagraph();
    const labelX = Math.min(...label.glyphs.map((g) => g.x));
    const near = (list: OpenList) => Math.abs(list.contentX - label.contentX) < 0.45 * line.size;
    while (this.#flow.lists.length > 0) {
      const top = this.#flow.lists[this.#flow.lists.length - 1] as OpenList;
      if (near(top) || (label.contentX > top.contentX && labelX >= top.contentX - 0.8 * line.size)) break;
      this.#flow.closeList();
    }
    let top = this.#flow.lists[this.#flow.lists.length - 1];
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
          this.#flow.closeList();
          top = undefined;
        } else itemLabel = `[${this.#labelLatex(line, label)}]`;
      }
    } else if (top && near(top)) {
      this.#flow.closeList();
      top = undefined;
    }
    top = this.#flow.lists[this.#flow.lists.length - 1];
    if (!top || !near(top)) {
      const depth = this.#flow.lists.filter((l) => l.env === wants).length + 1;
      if (this.#flow.lists.length >= 4 || depth > 4) {
        return false;
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
      this.#flow.openEnvironment(env, options);
      top = {
        env,
        contentX: label.contentX,
        labelX,
        counter: counted?.counter ?? null,
        value: counted ? counted.value - 1 : 0,
      };
      this.#flow.lists.push(top);
    }
    if (counted && itemLabel === '') top.value = counted.value;
    this.#flow.trimBlank();
    this.#flow.push(`${this.#flow.pad()}\\item${itemLabel} `);
    this.#flow.glue = true;
    const rest: Line = { ...line, glyphs: line.glyphs.filter((g) => !label.glyphs.includes(g)) };
    this.#flow.paragraph = [trimFront(readLine(rest, this.#state.inline))];
    return true;
  }

  #labelLatex(line: Line, label: Label): string {
    const spans = readLine({ ...line, glyphs: label.glyphs, rules: [] }, this.#state.inline);
    const latex = writeSpans(spans);
    return /[\]]/.test(latex) ? `{${latex}}` : latex;
  }

  /** Description items: a bold term, then its text; later lines hang. */
  describe(line: Line, following: readonly (Line | null)[], last: Line | null): boolean {
    const top = this.#flow.lists[this.#flow.lists.length - 1];
    const spans = readLine(line, this.#state.inline);
    const first = spans[0];
    if (first?.kind !== 'text' || !first.style.bold || first.text.trim().length > 60) return false;
    // a theorem's head, or a reference that LaTeX did not find
    if (theoremHead(spans) !== null || !/\p{L}|\d/u.test(first.text)) return false;
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
      last !== null;
    if (!isOpen && !hangs && !(neighbour && following[1] && following[1].x0 - at > 1.2 * line.size))
      return false;
    if (!isOpen && !hangs && !neighbour) return false;
    this.#flow.flushParagraph();
    if (!isOpen) {
      while (
        this.#flow.lists.length > 0 &&
        (this.#flow.lists[this.#flow.lists.length - 1] as OpenList).contentX > at + 2
      )
        this.#flow.closeList();
      this.#flow.openEnvironment('description', '');
      this.#flow.lists.push({
        env: 'description',
        contentX: at + 1.2 * line.size,
        labelX: at,
        counter: null,
        value: 0,
      });
    }
    const term = writeSpans([{ ...first, text: first.text.trim(), style: { ...first.style, bold: false } }]);
    this.#flow.trimBlank();
    this.#flow.push(`${this.#flow.pad()}\\item[${/[\]]/.test(term) ? `{${term}}` : term}] `);
    this.#flow.glue = true;
    this.#flow.paragraph = [trimFront(spans.slice(1))];
    return true;
  }

  /** Items typed by hand have no hanging indent: a full line continues below its label, or at the margin in mid-sentence. */
  goesOnAtMargin(line: Line, list: OpenList, last: Line | null): boolean {
    if (!last || this.#flow.paragraph.length === 0 || list.env === 'quote') return false;
    if (line.baseline - last.baseline > 1.15 * this.#state.leading) return false;
    const end = this.#flow.paragraph.at(-1)?.at(-1);
    if (end?.kind === 'math' && endsOpen(end.latex)) return true;
    const indent = list.labelX - line.x0;
    const isAtMargin = Math.abs(line.x0 - this.#edges.left) < 0.3 * line.size;
    const goesOn = /^\p{Ll}/u.test(line.glyphs[0]?.text ?? '') && indent < 2.2 * line.size;
    return (
      isAtMargin &&
      (Math.abs(indent) < 0.3 * line.size || goesOn) &&
      last.x1 > this.#edges.right - 1.5 * line.size
    );
  }
}

function startsBold(line: Line, state: ReadState): boolean {
  const first = readLine(line, state.inline)[0];
  return first?.kind === 'text' && first.style.bold;
}
