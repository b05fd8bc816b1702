/** Braces, environments, lists, and the document as a whole. */
import { displayEnvironments, innerMathEnvironments } from '../../source/commands.ts';
import { closeBrace } from '../fixes/braces.ts';
import { removeCulprit } from '../fixes/edits.ts';
import { fixMismatch } from '../fixes/environments.ts';
import { endVerbatim, fixItem, fixVerb, loadListOptions, makeList, removeLineBreak } from '../fixes/lists.ts';
import { fixDelimiter, removeBlankLine } from '../fixes/maths.ts';
import { addTitle, endDocument, fixBodyStart, moveToPreamble } from '../fixes/packages.ts';
import { type LogRule, say } from '../rule.ts';

const forgottenBrace = 'A brace { was opened and never closed.';

export const structureRules: LogRule[] = [
  {
    pattern: /^(?:Too many }'s|Extra }, or forgotten \\endgroup)/,
    fixes: [removeCulprit('}')],
    advise: say('A closing brace } has no opening brace.', 'Remove this }, or add the { it closes.'),
  },
  {
    pattern: /No \\title given/,
    fixes: [addTitle],
    advise: say('\\maketitle needs a title.', 'Add \\title{…} before \\begin{document}.'),
  },
  {
    pattern: /^Missing } inserted/,
    fixes: [fixVerb, fixDelimiter, removeBlankLine, closeBrace],
    advise: say(forgottenBrace, 'Add the missing } before this place.'),
  },
  {
    pattern: /^Missing { inserted/,
    advise: say('TeX expected an opening brace { here.', 'Put the argument in braces: {…}.'),
  },
  {
    pattern: /^File ended while scanning use of (\S+?)\s*\.?$/,
    fixes: [fixVerb, endVerbatim, removeBlankLine, closeBrace],
    advise: (match, { runaway }) => {
      const text = runaway
        .replace(/^\s*\{/, '')
        .replace(/\s*\\par\b.*$/s, '')
        .trim()
        .slice(0, 60);
      const verbatim = /verbatim|lst|@xcomment/.test(match[1]!);
      if (verbatim)
        return {
          explanation: 'A verbatim or listing environment has no end.',
          suggestion: 'Add its \\end{…} on a line of its own.',
        };
      const at = text ? ` It begins with “${text}”.` : '';
      return {
        explanation: `The document ended inside the argument of a command: its closing brace } is missing.${at}`,
        suggestion: text ? `Add a } after “${text}”.` : 'Add the missing }.',
      };
    },
  },
  {
    pattern: /^(?:Paragraph ended before (\S+) was complete|Argument of (\S+) has an extra })/,
    fixes: [removeBlankLine, closeBrace],
    advise: (match) => {
      const name = (match[1] ?? match[2])!.replace(/@/g, '').replace(/^\\/, '');
      if (displayEnvironments.has(name) || innerMathEnvironments.has(name))
        return {
          explanation: `An empty line stands inside ${name}.`,
          suggestion: `Remove the empty line, or begin it with %.`,
        };
      return {
        explanation: 'The argument of a command is not closed before the paragraph ends.',
        suggestion: 'Add the missing }, and leave no empty line inside the argument.',
      };
    },
  },
  {
    pattern: /^LaTeX Error: \\begin\{(\S+?)\}(?: on input line (\d+))? ended by \\end\{(\S+?)\}/,
    fixes: [fixMismatch],
    advise: (match) => {
      const [, begun, line, ended] = match;
      if (begun === 'document')
        return {
          explanation: `\\end{${ended}} closes an environment that was not opened.`,
          suggestion: `Add \\begin{${ended}} before it, or remove \\end{${ended}}.`,
        };
      const where = line ? ` (line ${line})` : '';
      return {
        explanation: `The environment ${begun}${where} is not closed before \\end{${ended}}.`,
        suggestion:
          ended === 'document'
            ? `Add \\end{${begun}} where it should end.`
            : `Close it with \\end{${begun}} first, or write the same name in both.`,
      };
    },
  },
  {
    pattern: /perhaps a missing \\item/,
    fixes: [loadListOptions, fixItem],
    advise: say(
      'A list must begin with \\item.',
      'Begin the list’s text with \\item; an empty list must go.',
    ),
  },
  {
    pattern: /Lonely \\item/,
    fixes: [makeList],
    advise: say('\\item stands outside of a list.', 'Put it between \\begin{itemize} and \\end{itemize}.'),
  },
  {
    pattern: /Missing \\begin\{document\}/,
    fixes: [fixBodyStart],
    advise: say(
      'There is text before \\begin{document}.',
      'Move it after \\begin{document}; only settings belong before.',
    ),
  },
  {
    pattern: /There's no line here to end/,
    fixes: [removeLineBreak],
    advise: say(
      '\\\\ or \\newline stands where no line of text has begun.',
      'Remove it; use an empty line for a new paragraph or \\vspace for space.',
    ),
  },
  {
    pattern: /Too deeply nested/,
    advise: say('Lists can be nested four deep at most.', 'Close some lists before opening the next.'),
  },
  {
    pattern: /\\verb illegal in (?:command )?argument|\\verb ended by end of line/,
    fixes: [fixVerb],
    advise: say(
      '\\verb cannot stand inside the argument of another command, nor span lines.',
      'Use \\texttt{…} there.',
    ),
  },
  {
    pattern: /^TeX capacity exceeded/,
    advise: say(
      'TeX ran out of memory, nearly always because a command calls itself without end.',
      'Look at the definition used here; a \\renewcommand must not use the command it replaces.',
    ),
  },
  {
    pattern: /^cannot \\read from terminal/,
    advise: say(
      'The document asks whoever compiles it for something, and nobody can answer here.',
      'Write the answer into the text, in place of \\typein or \\read.',
    ),
  },
  {
    pattern: /^I can't find file `(.+?)'/,
    advise: ([, file]) => ({
      explanation: `There is no file ${file} here.`,
      suggestion: 'Add the file to the document, or paste its content in place of this command.',
    }),
  },
  {
    pattern: /^TeX gave up after 100 errors/,
    advise: say(
      'What stands behind this place was not read.',
      'Repair the first errors of the list; others follow from them.',
    ),
  },
  {
    pattern: /^This can't happen|^I can't go on meeting you like this/,
    advise: say(
      'TeX lost its way after the errors before this one, and gave up.',
      'Repair the first error of the list.',
    ),
  },
  {
    pattern: /no legal \\end found/,
    fixes: [endDocument],
    advise: say('The document has no \\end{document}.', 'Add \\end{document} as the last line.'),
  },
  {
    pattern: /^Missing \\endgroup inserted|^Extra \\endgroup|^Missing \\cr inserted/,
    advise: say(
      'Follows from an unbalanced brace, $ or environment before it.',
      'Repair the first error of the list; this one usually goes with it.',
    ),
  },
  {
    pattern: /Can be used only in preamble/,
    fixes: [moveToPreamble],
    advise: say('This command belongs before \\begin{document}.', 'Move it to the preamble.'),
  },
];
