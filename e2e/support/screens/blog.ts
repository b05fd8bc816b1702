/** The articles that the flows open. */
export const slugs = [
  'how-to-photograph-notes',
  'keeping-searchable-lecture-notes',
  'latex-starter-for-handwritten-maths',
  'physics-notation-in-latex',
  'what-to-check-after-a-conversion',
];
