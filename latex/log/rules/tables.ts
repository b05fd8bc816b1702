/** Tables, alignments and floats. */
import { endRow, escapeAmpersand, fixCaption, fixColumns } from '../fixes/tables.ts';
import { type LogRule, say } from '../rule.ts';

export const tablesRules: LogRule[] = [
  {
    pattern: /Illegal character in array arg|Illegal pream-token/,
    advise: say(
      'A letter of the column specification is unknown.',
      'Use l, c, r, p{width} and |; X needs the environment tabularx.',
    ),
  },
  {
    pattern: /Missing p-arg in array arg/,
    advise: say('A column p has no width.', 'Write p{3cm}, or use l.'),
  },
  {
    pattern: /\\caption outside float/,
    fixes: [fixCaption],
    advise: say(
      '\\caption works only inside a figure or table.',
      'Put it into one, or use \\captionof{figure}{…} of the package caption.',
    ),
  },
  {
    pattern: /^(?:Misplaced alignment tab character &)/,
    fixes: [escapeAmpersand],
    advise: say(
      '& separates columns, but there is no table or alignment here.',
      'Write \\& for the character itself.',
    ),
  },
  {
    pattern: /^Extra alignment tab has been changed/,
    fixes: [fixColumns],
    advise: say(
      'This row has more columns (&) than the table or matrix was set up for.',
      'Remove an &, end the row with \\\\, or add a column to the specification.',
    ),
  },
  {
    pattern: /^Misplaced (?:\\noalign|\\hline|\\omit|\\cr)/,
    fixes: [endRow],
    advise: say(
      '\\hline, \\multicolumn or \\\\ stands in the wrong place of a table or alignment.',
      'Put \\hline at the beginning of a row, after \\\\; \\multicolumn at the beginning of a cell.',
    ),
  },
  {
    pattern: /Not in outer par mode|Floating? .*not in outer/,
    advise: say(
      'A figure or table stands inside a box, where it cannot float.',
      'Move it outside, or use \\includegraphics with \\captionof.',
    ),
  },
];
