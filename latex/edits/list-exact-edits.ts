/** The published list of what change requests can ask for when no model is configured. Every example works verbatim. */

export interface PublishedEdit {
  /** Heading of the group. */
  name: string;
  description: string;
  examples: readonly string[];
}

const published: readonly PublishedEdit[] = [
  {
    name: 'Title, author, date',
    description: 'Set or remove the title, the author or the date.',
    examples: [
      'Change the title to "Linear Algebra, Week 3"',
      'Set the author to "A. Student"',
      'Set the date to today',
      'Remove the date',
    ],
  },
  {
    name: 'Class and page',
    description:
      'Font size (10, 11 or 12 pt), paper, orientation, one or two columns, one- or two-sided, line spacing, document class (article, report, book, scrartcl).',
    examples: [
      'Use 12pt font',
      'Change the paper to letter',
      'Make it two columns',
      'Use landscape',
      'Use double spacing',
    ],
  },
  {
    name: 'Margins',
    description: 'Set all margins, or those of named sides, to a length in cm, mm, in or pt.',
    examples: ['Set the margins to 2 cm', 'Set the left and right margins to 1 inch'],
  },
  {
    name: 'Numbering',
    description: 'Turn the numbers of sections, pages or equations on or off; number equations by section.',
    examples: [
      'Remove section numbers',
      'Number all equations',
      'Hide page numbers',
      'Number equations by section',
    ],
  },
  {
    name: 'Replace',
    description:
      'Replace or remove words, given in quotation marks. Only text is touched; add "in formulas" or "everywhere" for more.',
    examples: [
      'Replace "colour" with "color"',
      'Replace "x" with "t" in formulas',
      'Delete the word "basically"',
    ],
  },
  {
    name: 'Headings',
    description:
      'Rename, add, remove, promote or demote a heading; table of contents; page break before a section.',
    examples: [
      'Rename the section "Intro" to "Introduction"',
      'Make the section "Proof" a subsection',
      'Add a section "Summary" at the end',
      'Add a table of contents',
    ],
  },
];

export function listExactEdits(): readonly PublishedEdit[] {
  return published;
}
