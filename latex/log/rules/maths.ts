/** Formulas: dollars, scripts, delimiters, tags. */

import { pairDollars } from '../fixes/dollars.ts';
import { removeCulprit } from '../fixes/edits.ts';
import {
  closeFormula,
  endDisplay,
  fixBareDelimiter,
  fixDelimiter,
  fixDoubleScript,
  fixMissingDollar,
  fixScripts,
  removeBlankLine,
  removeLimits,
  removeMark,
  removeSecondTag,
  wrapCommand,
} from '../fixes/maths.ts';
import { isCommandName } from '../names.ts';
import { type LogRule, lastCommand, say } from '../rule.ts';

export const mathsRules: LogRule[] = [
  {
    pattern: /^Missing \$ inserted/,
    fixes: [removeBlankLine, pairDollars, fixMissingDollar, closeFormula, fixScripts],
    advise: (_, { context, before }) => {
      const command = lastCommand(before);
      const explanation =
        'Something here belongs in mathematics, but no $ opened it; or a formula ran into an empty line or the end of its paragraph.';
      if (command && isCommandName(command))
        return { explanation, suggestion: `Put the formula between dollar signs, as in $\\${command}$.` };
      if (/[_^]/.test(context))
        return {
          explanation,
          suggestion: 'Put the formula between dollar signs; in plain text write \\_ for _ and \\^{} for ^.',
        };
      return {
        explanation,
        suggestion: 'Put the formula between dollar signs, and leave no empty line inside it.',
      };
    },
  },
  {
    pattern: /^Extra }, or forgotten \\right/,
    fixes: [fixDelimiter],
    advise: say(
      'A \\left stands in one cell or row of an alignment and its \\right in another.',
      'Close it with \\right. before the & or \\\\, and begin the next part with \\left. .',
    ),
  },
  {
    pattern: /Multiple \\tag/,
    fixes: [removeSecondTag],
    advise: say('A formula can have one \\tag only.', 'Remove the other.'),
  },
  {
    pattern: /Invalid use of (\\\S+?)\.?$/,
    advise: (match) => ({
      explanation: `${match[1]} works only inside a display such as align.`,
      suggestion: 'Move it there, or write the text outside of formulas.',
    }),
  },
  {
    pattern: /^Extra }, or forgotten \$/,
    fixes: [removeCulprit('}')],
    advise: say(
      'A closing brace } stands inside a formula that has no opening one, or the formula’s $ is missing.',
      'Balance the braces, or close the formula with $ before the }.',
    ),
  },
  {
    pattern: /^Double superscript/,
    fixes: [fixDoubleScript],
    advise: say(
      'Two superscripts follow each other, and it is unclear what the second belongs to.',
      'Use braces: x^{a^b} or {x^a}^b.',
    ),
  },
  {
    pattern: /^Double subscript/,
    fixes: [fixDoubleScript],
    advise: say(
      'Two subscripts follow each other, and it is unclear what the second belongs to.',
      'Use braces: x_{a_b} or x_{ab}.',
    ),
  },
  {
    pattern: /Bad math environment delimiter/,
    fixes: [fixDelimiter, removeMark],
    advise: say(
      'A formula is opened twice or closed twice.',
      'Use \\[ … \\] and \\( … \\) in pairs, and close every \\left with a \\right inside.',
    ),
  },
  {
    pattern: /^Display math should end with \$\$/,
    fixes: [endDisplay],
    advise: say(
      'A displayed formula begins with $$ and does not end with $$.',
      'End it with $$, or better write \\[ … \\].',
    ),
  },
  {
    pattern: /^Missing \\right\. inserted/,
    fixes: [fixDelimiter],
    advise: say(
      '\\left has no \\right in the same formula and line.',
      'Add the matching \\right, or \\right. for none.',
    ),
  },
  {
    pattern: /^Extra \\right/,
    fixes: [fixDelimiter],
    advise: say(
      '\\right has no \\left before it in the same formula.',
      'Add the matching \\left, or \\left. for none.',
    ),
  },
  {
    pattern: /^Missing delimiter/,
    fixes: [fixBareDelimiter],
    advise: say(
      '\\left and \\right need a bracket after them.',
      'Write for example \\left( … \\right), or a point for none: \\left. .',
    ),
  },
  {
    pattern: /^Limit controls must follow a math operator/,
    fixes: [removeLimits],
    advise: say(
      '\\limits only follows an operator such as \\sum or \\int.',
      'Remove \\limits, or make an operator of what precedes it: \\mathop{…}\\limits.',
    ),
  },
  {
    pattern: /allowed only in math mode/,
    fixes: [removeBlankLine, pairDollars, fixMissingDollar, wrapCommand, closeFormula],
    advise: say('This command works only in formulas.', 'Put it between dollar signs: $…$.'),
  },
];
