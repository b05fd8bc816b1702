/** What notes are against what they become, in the order in which the headline shows them (specification, section 1). */
export const wordPairs = [
  ['handwritten', 'LaTeX'],
  ['math', 'searchable'],
  ['physics', 'organized'],
  ['grammar', 'editable'],
  ['messy', 'permanent'],
  ['scribbled', 'findable'],
] as const;

/** Timings of the headline (specification, sections 4 and 9), in ms: a letter typed, a pair held, a letter deleted. */
export const typeMs = 100;
export const holdMs = 2000;
export const deleteMs = 50;
