/** References, labels and lines that do not fit. */
import { fixLabel } from '../fixes/pictures.ts';
import { type LogRule, say } from '../rule.ts';

export const layoutRules: LogRule[] = [
  {
    pattern: /^Reference `(.+?)' on page/,
    fixes: [fixLabel],
    advise: (match) => ({
      explanation: `No \\label{${match[1]}} exists; ?? is printed instead.`,
      suggestion: `Add \\label{${match[1]}} to what it refers to.`,
    }),
  },
  {
    pattern: /^Citation `(.+?)' on page/,
    advise: (match) => ({
      explanation: `No entry ${match[1]} is in the bibliography; ? is printed instead.`,
      suggestion: 'Check the key, and that its .bib file is among the document’s files; or add a \\bibitem.',
    }),
  },
  {
    pattern: /^Label `(.+?)' multiply defined/,
    advise: (match) => ({
      explanation: `The label ${match[1]} is given twice; references go to the last.`,
      suggestion: 'Give each place a label of its own.',
    }),
  },
  {
    pattern: /^Overfull \\hbox/,
    advise: say(
      'A line is wider than the text.',
      'Rephrase, break the formula, or scale the picture to \\textwidth.',
    ),
  },
];
