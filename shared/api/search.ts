/** What the browser and the server say to each other about searching in what people keep. Needs a bearer token. */
import { z } from 'zod';
import { DocumentSummary } from './library.ts';

/** Longest `q` and longest `formula`, in UTF-16 units. */
export const maxQueryLength = 500;
export const maxFormulaLength = 2_000;
/** A page of results when none is asked for, and the longest. */
const defaultSearchLimit = 20;
const maxSearchLimit = 100;
/** Beyond so many nobody leafs: what was looked for is better named by one more word. */
export const maxFound = 200;

const moment = z.iso.datetime({ offset: true });

/**
 * Query of GET /api/v1/search. Without `q` and `formula`: the documents that the filters leave, the one saved last first.
 */
export const SearchQuery = z.object({
  q: z.string().max(maxQueryLength, `At most ${maxQueryLength} characters.`).default('').meta({
    description:
      'Words, all of which have to be there, in any order; `"words in a row"`; `$formula$`. The last word may be begun only, mistyped ones are forgiven. What looks like LaTeX is a formula without dollars too.',
  }),
  formula: z.string().max(maxFormulaLength, `At most ${maxFormulaLength} characters.`).default('').meta({
    description:
      'LaTeX of one more formula, found whatever its variables are called and wherever it is a part.',
  }),
  folder: z
    .union([z.uuid(), z.literal('none')])
    .optional()
    .meta({ description: 'Only what lies in this folder or in one inside it; `none`: in no folder.' }),
  starred: z.stringbool().optional(),
  since: moment.optional().meta({ description: 'Texts saved at this moment or later.' }),
  until: moment.optional().meta({ description: 'Texts saved before this moment.' }),
  limit: z.coerce.number().int().min(1).max(maxSearchLimit).default(defaultSearchLimit),
  offset: z.coerce.number().int().min(0).max(maxFound).default(0),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** A stretch of what is shown; a formula's text is its LaTeX with its dollars or environment. */
export const SnippetPart = z
  .object({
    kind: z.enum(['text', 'formula']),
    text: z.string(),
    /** Whether it is what was looked for. */
    hit: z.boolean(),
  })
  .meta({ id: 'SnippetPart' });
export type SnippetPart = z.infer<typeof SnippetPart>;

export const Snippet = z
  .object({
    parts: z.array(SnippetPart),
    /** The file that it is in; the document's own text without it. */
    file: z.string().optional(),
    /** Of the LaTeX, from 1: where its first hit stands. */
    line: z.number().int().positive(),
    /** The same place in UTF-16 units, from 0. */
    offset: z.number().int().nonnegative(),
  })
  .meta({ id: 'Snippet' });
export type Snippet = z.infer<typeof Snippet>;

export const FoundDocument = DocumentSummary.extend({
  title_parts: z.array(SnippetPart),
  /** Up to three places, in the text's order; none when only the title has the words, or nothing was looked for. */
  snippets: z.array(Snippet),
}).meta({ id: 'FoundDocument' });
export type FoundDocument = z.infer<typeof FoundDocument>;

export const SearchResults = z
  .object({
    /** Best first. */
    documents: z.array(FoundDocument),
    /** How many were found without limit and offset; with `has_more` there are more than these. */
    total: z.number().int().nonnegative(),
    has_more: z.boolean(),
    /** Time of the server, in ms. */
    took_ms: z.number().nonnegative(),
  })
  .meta({ id: 'SearchResults' });
export type SearchResults = z.infer<typeof SearchResults>;
