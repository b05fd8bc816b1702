/** POST /api/v1/ink: converts what was drawn on a pad to LaTeX. */
import { z } from 'zod';
import { maxInkPoints, maxInkStrokes } from './limits.ts';

/** Coordinates on the pad, px: x and y alternating, y downwards. A single point is a dot. */
const Stroke = z
  .array(z.number().min(-20_000).max(20_000))
  .min(2)
  .max(2 * maxInkPoints)
  .refine((numbers) => numbers.length % 2 === 0, 'A stroke has an x and a y for each point.');

export const InkRequest = z
  .object({
    strokes: z.array(Stroke).min(1).max(maxInkStrokes),
    /** `formula`: one formula. `text`: words, possibly with formulas. */
    kind: z.enum(['formula', 'text']).default('formula'),
  })
  .refine(({ strokes }) => strokes.reduce((sum, { length }) => sum + length, 0) <= 2 * maxInkPoints, {
    message: 'There is too much ink for one line. Draw less at a time.',
    path: ['strokes'],
  });
export type InkRequest = z.input<typeof InkRequest>;

export const InkCandidate = z.object({
  /** A formula without delimiters, or text with its formulas in `$`. */
  latex: z.string(),
  /** 0 … 1: its likelihood among the candidates. */
  share: z.number().min(0).max(1),
});
export type InkCandidate = z.infer<typeof InkCandidate>;

/** The likeliest first, at most five; empty if nothing is legible. */
export const InkResponse = z.object({ candidates: z.array(InkCandidate) });
export type InkResponse = z.infer<typeof InkResponse>;
