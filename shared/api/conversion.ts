/** Calls and events of conversions. Field names are snake_case on the wire. */

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
 * The details of PDF_TOO_LONG, whose sentence has no number.
 * @param asked pages of the requested range
 * @param total pages of all files
 */
export function describePageLimit(requested: number, total: number): Warning {
  const here = requested === total ? `${total} were sent` : `${requested} of ${total} were requested`;
  return { code: 'PAGE_LIMIT', message: `One conversion can have ${maxPages} pages; ${here}.` };
}

/** A figure cropped from a page. `name` is the argument of `\includegraphics`, without folder, e.g. `figure-p3-1.png`. */
export const Figure = z
  .object({
    /** As the LaTeX names it, with or without folders. */
    name: z.string().regex(fileNamePattern),
    media_type: FigureMediaType,
    data_base64: z.string(),
  })
  .meta({ id: 'Figure' });
export type Figure = z.infer<typeof Figure>;

const maxAlternatives = 4;
export const maxAlternativeLength = 2_000;

/** A range of a page's LaTeX that the reader is unsure of: `start` and `end` are UTF-16 offsets into that LaTeX. */
export const DoubtfulSpan = z
  .object({
    start: z.number().int().nonnegative(),
    end: z.number().int().nonnegative(),
    /** 0 … 1: how sure the reader is. */
    confidence: z.number().min(0).max(1).optional(),
    reason: z.string().optional(),
    /** Other readings, the likeliest first: LaTeX that can replace it. */
    alternatives: z.array(z.string().min(1).max(maxAlternativeLength)).max(maxAlternatives).optional(),
  })
  .meta({ id: 'DoubtfulSpan' });
export type DoubtfulSpan = z.infer<typeof DoubtfulSpan>;

/** A doubtful range of a whole document: offsets into the delivered `latex`. */
export const DocumentDoubt = DoubtfulSpan.extend({
  /** 1-based: the page it was read from. */
  page: z.number().int().positive(),
}).meta({ id: 'DocumentDoubt' });
export type DocumentDoubt = z.infer<typeof DocumentDoubt>;

/**
 * Where a text comes from: ranges of it with the place on a page that they were read from, and the places to check
 * again. It belongs to one text; whoever changes the text adjusts it (`moveSourceMap`).
 */
export const SourceMap = z
  .object({
    lines: z
      .array(
        z.object({
          /** 1-based, both inclusive. */
          first_line: z.number().int().positive(),
          last_line: z.number().int().positive(),
          /** UTF-16 units before the range in its first line; default 0. */
          first_column: z.number().int().nonnegative().optional(),
          /** UTF-16 units of its last line up to the range's end; default the whole line. */
          last_column: z.number().int().nonnegative().optional(),
          /** 1-based number of the page. */
          page: z.number().int().min(1).max(maxPages),
          /** Left, top, width and height as fractions of the page's picture; default the whole page. */
          box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
          /** The box was found by the look of the ink, not by its words: it may be a line off. */
          is_approximate: z.boolean().optional(),
        }),
      )
      .max(100_000),
    doubtful: z.array(DocumentDoubt).max(10_000),
    /** Number of doubtful ranges that have been checked; they are no longer in `doubtful`. */
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
    /** Of `latex`; its `doubtful` is the one above. */
    source_map: SourceMap,
    conversion_id: z.string(),
  })
  .meta({ id: 'ProcessResponse' });
export type ProcessResponse = z.infer<typeof ProcessResponse>;

export const PageState = z.enum(['waiting', 'reading', 'read', 'failed']).meta({ id: 'PageState' });
export type PageState = z.infer<typeof PageState>;

export const ConversionPage = z
  .object({
    /** 1-based page number in the document. */
    number: z.number().int().positive(),
    state: PageState,
    /** The page's LaTeX body, once it has been read. */
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
    /** Present once delivered. Retrying a failed page delivers again, with that page. */
    result: ProcessResponse.omit({ conversion_id: true }).optional(),
    error: ErrorObject.optional(),
    /** The newest event's id, as in Last-Event-ID. */
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
