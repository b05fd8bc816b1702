/** POST /api/v1/ink: what somebody draws on a pad, as LaTeX. */
import { z } from 'zod';
import { maxInkPoints, maxInkStrokes } from './limits.ts';

/** Coordinates of the pad, px: x and y in turn, y downwards. A point alone is a dot. */
const Stroke = z
  .array(z.number().min(-20_000).max(20_000))
  .min(2)
  .max(2 * maxInkPoints)
  .refine((numbers) => numbers.length % 2 === 0, 'A stroke has an x and a y for each point.');

export const InkRequest = z
  .object({
    strokes: z.array(Stroke).min(1).max(maxInkStrokes),
    /** `formula`: all of it is one formula. `text`: words, perhaps with formulas among them. */
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
  /** 0 … 1: how likely among the candidates. */
  share: z.number().min(0).max(1),
});
export type InkCandidate = z.infer<typeof InkCandidate>;

/** The likeliest first, at most five; none where nothing is legible. */
export const InkResponse = z.object({ candidates: z.array(InkCandidate) });
export type InkResponse = z.infer<typeof InkResponse>;
