/** TikZ, lengths and colours. */
import { loadListOptions } from '../fixes/lists.ts';
import { fixColour, fixLength, fixSemicolon, fixTikzKey, usePositioning } from '../fixes/pictures.ts';
import { type LogRule, say } from '../rule.ts';

export const picturesRules: LogRule[] = [
  {
    pattern: /^pdfTeX error: .*\(file (?:\.\/)?(.+?)\)/,
    advise: ([, file]) => ({
      explanation: `The file ${file} cannot be used: it is damaged, or not what its name says.`,
      suggestion: 'Export the picture again as PNG, JPEG or PDF.',
    }),
  },
  {
    pattern: /^Dimension too large/,
    advise: say(
      'A length is beyond what TeX can measure (5.7 m).',
      'Use a smaller length; in plots, scale the numbers down.',
    ),
  },
  {
    pattern: /No shape named [`'](.+?)' is known/,
    advise: (match) => ({
      explanation: `No TikZ node is called ${match[1]}.`,
      suggestion: `Name the node before it is used: \\node (${match[1]}) {…};`,
    }),
  },
  {
    pattern: /Unknown function `of'/,
    fixes: [usePositioning],
    advise: say(
      'Placing nodes with “below=of …” needs a TikZ library.',
      'Add \\usetikzlibrary{positioning} to the preamble.',
    ),
  },
  {
    pattern: /Package PGF Math Error/,
    advise: say('TikZ cannot calculate this.', 'Check the numbers and names in the coordinates.'),
  },
  {
    pattern: /^Missing number, treated as zero/,
    fixes: [loadListOptions, fixLength],
    advise: say(
      'A number or length was expected here.',
      'Give a number, with a unit for lengths: 2cm, 10pt.',
    ),
  },
  {
    pattern: /^Illegal unit of measure/,
    fixes: [fixLength],
    advise: say('A length needs a unit.', 'Write for example 3mm, 1cm, 10pt or 0.5\\textwidth.'),
  },
  {
    pattern: /Undefined color `(.+?)'/,
    fixes: [fixColour],
    advise: (match) => ({
      explanation: `No colour is called ${match[1]}.`,
      suggestion: 'Check the name; \\usepackage[dvipsnames]{xcolor} knows many more.',
    }),
  },
  {
    pattern: /Did you forget a semicolon/,
    fixes: [fixSemicolon],
    advise: say('A TikZ path is not ended.', 'End every \\draw, \\node, \\fill and \\path with a semicolon.'),
  },
  {
    pattern: /I do not know the key '(?:\/\w+\/)*(.+?)'/,
    fixes: [fixTikzKey],
    advise: (match) => ({
      explanation: `No option is called ${match[1]} here.`,
      suggestion: 'Check the spelling, or load the TikZ library that brings it (\\usetikzlibrary).',
    }),
  },
  {
    pattern: /Unknown shape "?(\w+)/,
    fixes: [fixTikzKey],
    advise: (match) => ({
      explanation: `TikZ has no shape called ${match[1]}.`,
      suggestion: 'Check the spelling, or load the TikZ library that brings it (\\usetikzlibrary).',
    }),
  },
];
