import type { SourceRange } from '#latex/assemble/source-map.ts';
import { cn } from './cn.ts';
import './ink-marks.css';

/** A marked place in the ink. */
export type InkMark = Pick<SourceRange, 'page' | 'box' | 'isApproximate'>;

/** How far a mark extends beyond its box, as a share of the page's width. */
const margin = 0.006;
const looks = { lit: 'ink-lit', doubt: 'ink-doubt' };

/** Marks over a page image that fills the surrounding positioned element. */
export function InkMarks({ marks, kind }: { marks: readonly InkMark[]; kind: keyof typeof looks }) {
  return marks.map((mark) => {
    const [left, top, width, height] = mark.box ?? [0, 0, 1, 1];
    return (
      <span
        key={mark.box?.join(' ') ?? 'page'}
        aria-hidden="true"
        data-mark={kind}
        className={cn('ink-mark', looks[kind], mark.isApproximate && 'is-approximate')}
        style={{
          left: `${100 * (left - margin)}%`,
          top: `calc(${100 * top}% - 3px)`,
          width: `${100 * (width + 2 * margin)}%`,
          height: `calc(${100 * height}% + 6px)`,
        }}
      />
    );
  });
}
