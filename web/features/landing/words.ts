/** Pairs of words for notes and for PDFs, in the headline's order (specification, section 1). */
export const wordPairs = [
  ['handwritten', 'LaTeX'],
  ['math', 'searchable'],
  ['physics', 'organized'],
  ['grammar', 'editable'],
  ['messy', 'permanent'],
  ['scribbled', 'findable'],
] as const;
