/** What notes are against what they become, in the order in which the headline shows them (specification, section 1). */
export const wordPairs = [
  ['handwritten', 'LaTeX'],
  ['math', 'searchable'],
  ['physics', 'organized'],
  ['grammar', 'editable'],
  ['messy', 'permanent'],
  ['scribbled', 'findable'],
] as const;
