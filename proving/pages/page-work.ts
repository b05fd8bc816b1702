/** A page during proving: its current body, and what was changed. */

import type { NumberedPage, PageBody, PagePlace } from '#latex/assemble/page-body.ts';
import { moveRanges } from '#latex/assemble/source-map.ts';
import { applySplices, mapSpans, type Splice } from '#latex/source/splice.ts';
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import type { Warning } from '#shared/api/errors.ts';

/** A range of a body that is kept as verbatim text; offsets into the current body. */
export interface VerbatimRange {
  start: number;
  end: number;
  /** Characters of the reader's LaTeX that it replaces. */
  sourceLength: number;
}

/** Most warnings of one kind for a page: further ones add nothing. */
const maxWarningsOfKind = 5;
/** Characters around a place that is quoted. */
const aroundPlace = 16;

/** Quotes a place so that people can find it again: in whole words, on one line. */
function excerptAt(text: string, start: number, end: number): string {
  const from = Math.max(0, start - aroundPlace);
  const to = Math.min(text.length, Math.max(end, start) + aroundPlace, start + 4 * aroundPlace);
  const before = from > 0 ? text.slice(from, start).replace(/^\S*\s/, '') : text.slice(from, start);
  const behind = to < text.length ? text.slice(start, to).replace(/\s\S*$/, '') : text.slice(start, to);
  return `${before}${behind}`.replace(/\s+/g, ' ').trim();
}

export class PageWork {
  readonly number: number;
  readonly original: PageBody;
  body: string;
  doubtful: DoubtfulSpan[];
  places: PagePlace[];
  packages: PageBody['packages'];
  preamble: string[];
  title: PageBody['title'];
  verbatim: VerbatimRange[] = [];
  readonly warnings: Warning[] = [];
  /** Length of the body before anything was isolated: the denominator of `verbatimShare`. */
  private length: number;

  constructor({ number, page }: NumberedPage) {
    this.number = number;
    this.original = page;
    this.body = page.body;
    this.doubtful = [...page.doubtful];
    this.places = [...(page.places ?? [])];
    this.packages = [...page.packages];
    this.preamble = [...page.preamble];
    this.title = page.title;
    this.length = Math.max(1, page.body.trim().length);
  }

  splice(splices: readonly Splice[]): boolean {
    if (splices.length === 0) return false;
    const spliced = applySplices(this.body, splices);
    if (spliced.text === this.body) return false;
    this.doubtful = mapSpans(this.doubtful, spliced);
    this.places = moveRanges(this.places, spliced.made);
    this.verbatim = this.verbatim.map((range) => ({
      ...range,
      start: spliced.mapOffset(range.start),
      end: spliced.mapOffset(range.end),
    }));
    this.body = spliced.text;
    return true;
  }

  /** Splices what does not compile, and says where that was. */
  repair(splices: readonly Splice[]): boolean {
    const before = this.body;
    if (!this.splice(splices)) return false;
    const { mapOffset, made } = applySplices(before, splices);
    for (const { start, text } of made.slice(0, maxWarningsOfKind)) {
      const at = mapOffset(start);
      this.warn(
        'LATEX_REPAIRED',
        `Some LaTeX on this page was repaired so that it compiles, at “${excerptAt(this.body, at, at + text.length)}”.`,
      );
    }
    return true;
  }

  /** Replaces a range by its verbatim form, absorbing ranges inside it that were already verbatim. */
  isolate(start: number, end: number, replacement: string): void {
    const inside = this.verbatim.filter((range) => range.start >= start && range.end <= end);
    const known = inside.reduce((sum, range) => sum + range.sourceLength, 0);
    const shown = inside.reduce((sum, range) => sum + (range.end - range.start), 0);
    const sourceLength = known + (end - start - shown);
    this.verbatim = this.verbatim.filter((range) => !inside.includes(range));
    this.splice([{ start, end, text: replacement }]);
    this.verbatim.push({ start, end: start + replacement.length, sourceLength });
  }

  isVerbatim(start: number, end: number): boolean {
    return this.verbatim.some((range) => range.start <= start && end <= range.end);
  }

  /** Share of the page's characters that is kept as verbatim text, 0 … 1. */
  get verbatimShare(): number {
    const sum = this.verbatim.reduce((total, range) => total + range.sourceLength, 0);
    return Math.min(1, sum / this.length);
  }

  warn(code: string, message: string): void {
    if (this.warnings.filter((warning) => warning.code === code).length >= maxWarningsOfKind) return;
    if (this.warnings.some((warning) => warning.code === code && warning.message === message)) return;
    this.warnings.push({ code, message, page: this.number });
  }

  /** Fixes the length that isolated text is measured against: called once, after cleaning. */
  begin(): void {
    this.length = Math.max(1, this.body.trim().length);
  }

  snapshot(): Pick<PageWork, 'body' | 'doubtful' | 'places' | 'verbatim'> {
    return { body: this.body, doubtful: this.doubtful, places: this.places, verbatim: this.verbatim };
  }

  restore(snapshot: ReturnType<PageWork['snapshot']>): void {
    this.body = snapshot.body;
    this.doubtful = snapshot.doubtful;
    this.places = snapshot.places;
    this.verbatim = snapshot.verbatim;
  }

  /** The page in the assembler's form. */
  toPage(): NumberedPage {
    return {
      number: this.number,
      page: {
        ...this.original,
        body: this.body,
        doubtful: this.doubtful,
        places: this.places,
        packages: this.packages,
        preamble: this.preamble,
        ...(this.title ? { title: this.title } : {}),
      },
    };
  }
}
