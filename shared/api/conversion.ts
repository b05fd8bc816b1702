/** What the browser and the server say to each other about a conversion. Field names are snake_case on the wire. */

import { z } from 'zod';
import { ErrorObject, Warning } from './errors.ts';
import { fileNamePattern } from './file-name.ts';
import { maxPages } from './limits.ts';

/** Pictures, drawings, and any other file that an imported document inputs (a table, a style, a bibliography). */
export const FigureMediaType = z.enum([
  'image/png',
  'image/jpeg',
  'application/pdf',
  'application/octet-stream',
]);
export type FigureMediaType = z.infer<typeof FigureMediaType>;

/**
 * What goes with PDF_TOO_LONG, whose own sentence names no number.
 * @param asked pages of the requested range
 * @param total pages of all that was given
 */
export function describePageLimit(asked: number, total: number): Warning {
  const here = asked === total ? `there are ${total} here` : `${asked} of ${total} were asked for`;
  return { code: 'PAGE_LIMIT', message: `One conversion takes ${maxPages} pages; ${here}.` };
}

/** A figure cut out of a page. `name` is what `\includegraphics` says, without folder, e.g. `figure-p3-1.png`. */
export const Figure = z
  .object({
    /** In folders or not; as the LaTeX names it. */
    name: z.string().regex(fileNamePattern),
    media_type: FigureMediaType,
    data_base64: z.string(),
  })
  .meta({ id: 'Figure' });
export type Figure = z.infer<typeof Figure>;

const maxAlternatives = 4;
export const maxAlternativeLength = 2_000;

/** A stretch of a page's LaTeX the reader is unsure of: `start` and `end` are UTF-16 offsets into that LaTeX. */
export const DoubtfulSpan = z
  .object({
    start: z.number().int().nonnegative(),
    end: z.number().int().nonnegative(),
    /** 0 … 1: how sure the reader is. */
    confidence: z.number().min(0).max(1).optional(),
    reason: z.string().optional(),
    /** What else it may say, the likeliest first: LaTeX that can stand in its place. */
    alternatives: z.array(z.string().min(1).max(maxAlternativeLength)).max(maxAlternatives).optional(),
  })
  .meta({ id: 'DoubtfulSpan' });
export type DoubtfulSpan = z.infer<typeof DoubtfulSpan>;

/** A doubtful stretch of a whole document: offsets into the delivered `latex` as it is. */
export const DocumentDoubt = DoubtfulSpan.extend({
  /** 1-based: the page it was read from. */
  page: z.number().int().positive(),
}).meta({ id: 'DocumentDoubt' });
export type DocumentDoubt = z.infer<typeof DocumentDoubt>;

/**
 * Where a text comes from: stretches of it with the place on a page they were read from, and the places to look at
 * again. It speaks of one text; who changes the text moves it along (`moveSourceMap`).
 */
export const SourceMap = z
  .object({
    lines: z
      .array(
        z.object({
          /** 1-based, both inclusive. */
          first_line: z.number().int().positive(),
          last_line: z.number().int().positive(),
          /** UTF-16 units before the stretch in its first line; 0 without it. */
          first_column: z.number().int().nonnegative().optional(),
          /** UTF-16 units of its last line up to the stretch's end; the whole line without it. */
          last_column: z.number().int().nonnegative().optional(),
          /** 1-based number of the page. */
          page: z.number().int().min(1).max(maxPages),
          /** Left, top, width and height as shares of the page's picture; the whole page without it. */
          box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
          /** The box was told from the look of the ink, not from its words: it may be a line off. */
          is_approximate: z.boolean().optional(),
        }),
      )
      .max(100_000),
    doubtful: z.array(DocumentDoubt).max(10_000),
    /** How many doubtful stretches someone has checked; they are no longer in `doubtful`. */
    checked: z.number().int().nonnegative().max(1_000_000).optional(),
  })
  .meta({ id: 'SourceMap' });
export type SourceMap = z.infer<typeof SourceMap>;

/** POST /api/v1/process, plain answer (specification, sections 3 and 7; `figures`, `doubtful`, `source_map` and `conversion_id` are ours). */
export const ProcessResponse = z
  .object({
    latex: z.string(),
    pdf_base64: z.string(),
    warnings: z.array(Warning),
    figures: z.array(Figure),
    doubtful: z.array(DocumentDoubt),
    /** Of `latex` as it is; its `doubtful` is the one above. */
    source_map: SourceMap,
    conversion_id: z.string(),
  })
  .meta({ id: 'ProcessResponse' });
export type ProcessResponse = z.infer<typeof ProcessResponse>;

export const PageState = z.enum(['waiting', 'reading', 'read', 'failed']).meta({ id: 'PageState' });
export type PageState = z.infer<typeof PageState>;

export const ConversionPage = z
  .object({
    /** 1-based place in the document. */
    number: z.number().int().positive(),
    state: PageState,
    /** The page's LaTeX body, once read. */
    latex: z.string().optional(),
    warnings: z.array(Warning),
    doubtful: z.array(DoubtfulSpan),
    error: ErrorObject.optional(),
  })
  .meta({ id: 'ConversionPage' });
export type ConversionPage = z.infer<typeof ConversionPage>;

export const ConversionState = z
  .enum(['reading', 'assembling', 'delivered', 'failed', 'cancelled', 'expired'])
  .meta({ id: 'ConversionState' });
export type ConversionState = z.infer<typeof ConversionState>;

/** GET /api/v1/conversions/{id} */
export const Conversion = z
  .object({
    conversion_id: z.string(),
    state: ConversionState,
    created_at: z.string(),
    pages: z.array(ConversionPage),
    /** Present once delivered. A later retry of a failed page delivers again with the page added. */
    result: ProcessResponse.omit({ conversion_id: true }).optional(),
    error: ErrorObject.optional(),
    /** The newest event's id: what Last-Event-ID would say. */
    last_event_id: z.string(),
  })
  .meta({ id: 'Conversion' });
export type Conversion = z.infer<typeof Conversion>;

/**
 * The stream of POST /process (Accept: text/event-stream) and of GET /conversions/{id}/events.
 * The event's `event:` field is `type`, its `id:` a decimal that grows within one conversion.
 */
export const ConversionEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('accepted'), conversion_id: z.string(), page_count: z.number().int() }),
    z.object({ type: z.literal('page'), page: ConversionPage }),
    z.object({ type: z.literal('stage'), state: ConversionState }),
    z.object({ type: z.literal('delivered'), result: ProcessResponse }),
    z.object({ type: z.literal('failed'), error: ErrorObject }),
    z.object({ type: z.literal('cancelled') }),
    z.object({ type: z.literal('expired') }),
  ])
  .meta({ id: 'ConversionEvent' });
export type ConversionEvent = z.infer<typeof ConversionEvent>;
