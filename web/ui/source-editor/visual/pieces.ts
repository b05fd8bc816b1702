/** What the visual mode shows for a stretch of LaTeX, as plain data. */

export type Shown =
  /** Words or signs in place of a command. */
  | { kind: 'text'; text: string; look?: 'dim' | 'head' | 'chip' | 'abstract' }
  | { kind: 'formula'; tex: string; isDisplay: boolean }
  /** The mark before a list's item. */
  | { kind: 'item'; label: string }
  /** A picture, in a line or on its own. */
  | { kind: 'set'; latex: string };

/** From and to, UTF-16 offsets. The source of a piece shows while the cursor touches its span. */
export interface Span {
  from: number;
  to: number;
}

export type Piece =
  | { kind: 'mark'; from: number; to: number; look: string }
  /** At a line's start; with a span, only while that is not touched. */
  | { kind: 'line'; from: number; look: string; span: Span | null }
  | { kind: 'hide'; from: number; to: number; span: Span }
  | { kind: 'show'; from: number; to: number; span: Span; shown: Shown };
