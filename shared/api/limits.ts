/** Limits that browser and server enforce, with the source of each number. */

/** Largest upload, per file, in bytes (50 MB, the intake's documented limit). */
export const maxFileBytes = 50_000_000;
/** Most files in one conversion. Phone photos have one page each, so this equals the page limit. */
export const maxFiles = 200;
/** Most pages in one conversion; counts the requested range, not the whole PDF. */
export const maxPages = 200;
/** Largest decoded image, in pixels (50 megapixels; a phone's 48 MP photo passes). */
export const maxPixels = 50_000_000;
/** Longest LaTeX source a call takes, in UTF-16 units. */
export const maxLatexLength = 2_000_000;
/** Longest change request, in UTF-16 units. */
export const maxFeedbackLength = 4_000;
/** Largest PDF that the watermark call takes, in bytes. */
export const maxWatermarkPdfBytes = maxFileBytes;
/** Longest watermark text, in UTF-16 units. */
export const maxWatermarkTextLength = 200;
/** Figures that may accompany a compile: total decoded bytes. */
export const maxFiguresBytes = 25_000_000;
/** How long a conversion's upload, rendered pages and crops are kept after its last page was attempted, in ms (60 minutes). */
export const conversionLifetimeMs = 60 * 60_000;

/** Longest part of a personal preamble, in UTF-16 units; and most notation entries. */
export const personalPreambleLimits = {
  preamble: 20_000,
  command: 40,
  latex: 500,
  meaning: 200,
  notation: 300,
};

/** Template ids (latex/templates), in addresses and calls; these never change. */
export const templateIds = ['blank', 'lecture-notes', 'homework', 'exam', 'article', 'letter'] as const;
export type TemplateId = (typeof templateIds)[number];

/** For one drawing on the pad: a long line has about 60 strokes of 40 points. */
export const maxInkStrokes = 300;
export const maxInkPoints = 10_000;
