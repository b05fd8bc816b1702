/** Warnings for handwritten pages that are read without a vision model. */

const whatAModelAdds = 'A vision model, set with an AI key, reads handwriting and formulas more reliably.';

/** Shown once per document (stations.ts). */
export const handwritingWarning = {
  code: 'HANDWRITING_UNSURE',
  message: `Handwriting was read by the embedded reader, which makes mistakes on photographed paper: words it doubts are marked, and the rest is worth comparing, too. ${whatAModelAdds}`,
} as const;

export const unreadWarning = {
  code: 'HANDWRITING_NOT_READ',
  message: `This page looks handwritten and could not be read by the embedded reader: its text is incomplete, or its picture stands in its place. ${whatAModelAdds}`,
} as const;

export const crossedOutWarning = {
  code: 'CROSSED_OUT_LEFT_OUT',
  message:
    'Writing on this page that looks crossed out was left out of the text. Compare it with the picture.',
} as const;

export const lineNotReadWarning = {
  code: 'LINE_NOT_READ',
  message: 'A line on this page could not be read; its picture stands in its place.',
} as const;

export const handwritingSkippedWarning = {
  code: 'HANDWRITING_SKIPPED',
  message:
    'Reading the handwriting on this page would have taken too much time or memory, so it was left out or read as print. Compare the page with the original.',
} as const;

export const textSkippedWarning = {
  code: 'TEXT_LAYER_SKIPPED',
  message:
    'The text stored in this page of the PDF could not be used, so the page was read from its picture. Lists, headings and formulas may have been lost; compare the page with the original.',
} as const;
