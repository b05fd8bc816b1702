/** Search in the library. Needs a bearer token. */
import { z } from 'zod';
import { DocumentSummary, markFilters } from './library.ts';

/** Longest `q` and longest `formula`, in UTF-16 units. */
export const maxQueryLength = 500;
export const maxFormulaLength = 2_000;
/** Default and largest number of results per page. */
const defaultSearchLimit = 20;
const maxSearchLimit = 100;
/** Last result that can be paged to: beyond it, one more search word helps. */
export const maxFound = 200;

const moment = z.iso.datetime({ offset: true });

/**
 * Query of GET /api/v1/search. Without `q` and `formula`: the documents that pass the filters, most recently saved first.
 */
export const SearchQuery = z.object({
  q: z.string().max(maxQueryLength, `At most ${maxQueryLength} characters.`).default('').meta({
    description:
      'Words that must all occur, in any order; `"an exact phrase"`; `$formula$`. The last word may be incomplete, and typos are tolerated. LaTeX is treated as a formula even without dollar signs.',
  }),
  formula: z.string().max(maxFormulaLength, `At most ${maxFormulaLength} characters.`).default('').meta({
    description:
      'LaTeX of one more formula, found whatever its variables are called, and inside longer formulas.',
  }),
  folder: z
    .union([z.uuid(), z.literal('none')])
    .optional()
    .meta({ description: 'Only documents in this folder and its subfolders; `none`: those in no folder.' }),
  ...markFilters,
  since: moment.optional().meta({ description: 'Documents saved at this time or later.' }),
  until: moment.optional().meta({ description: 'Documents saved before this time.' }),
  limit: z.coerce.number().int().min(1).max(maxSearchLimit).default(defaultSearchLimit),
  offset: z.coerce.number().int().min(0).max(maxFound).default(0),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** A run of a snippet; a formula's text is its LaTeX with its dollars or environment. */
export const SnippetPart = z
  .object({
    kind: z.enum(['text', 'formula']),
    text: z.string(),
    /** True for a hit. */
    hit: z.boolean(),
  })
  .meta({ id: 'SnippetPart' });
export type SnippetPart = z.infer<typeof SnippetPart>;

export const Snippet = z
  .object({
    parts: z.array(SnippetPart),
    /** The file that it is in; without it, the document's own text. */
    file: z.string().optional(),
    /** Line of its first hit in the LaTeX, 1-based. */
    line: z.number().int().positive(),
    /** Offset of its first hit, in UTF-16 units, 0-based. */
    offset: z.number().int().nonnegative(),
  })
  .meta({ id: 'Snippet' });
export type Snippet = z.infer<typeof Snippet>;

export const FoundDocument = DocumentSummary.extend({
  title_parts: z.array(SnippetPart),
  /** Up to three places, in text order; none if only the title matches, or without a search. */
  snippets: z.array(Snippet),
}).meta({ id: 'FoundDocument' });
export type FoundDocument = z.infer<typeof FoundDocument>;

export const SearchResults = z
  .object({
    /** Best first. */
    documents: z.array(FoundDocument),
    /** Number found without limit and offset; with `has_more`, there are more. */
    total: z.number().int().nonnegative(),
    has_more: z.boolean(),
    /** Time on the server, in ms. */
    took_ms: z.number().nonnegative(),
  })
  .meta({ id: 'SearchResults' });
export type SearchResults = z.infer<typeof SearchResults>;
