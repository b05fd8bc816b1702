/** Which fix answers which message: the first rule that matches and is sure of an edit speaks. */

import type { SourceText } from '../../source/source-text.ts';
import { mathCharacters } from '../../source/unicode-table.ts';
import { lastCommand } from '../suggest.ts';
import {
  commandRange,
  cut,
  escapeCulprit,
  insertAt,
  literal,
  removeCulprit,
  renameOnLine,
  tokenAt,
  toPreamble,
} from './edits.ts';
import {
  fixBareDelimiter,
  fixDelimiter,
  fixDoubleScript,
  fixMissingDollar,
  removeBlankLine,
  wrapInMaths,
} from './maths.ts';
import {
  askForXelatex,
  fixBodyStart,
  fixClash,
  fixEnvironment,
  fixMissingFile,
  fixUndefined,
  moveToPreamble,
} from './packages.ts';
import { fixLabel, fixSemicolon, fixTikzKey, pictureKeys } from './pictures.ts';
import type { Clue, Proposal } from './proposal.ts';
import { closeBrace, fixColumns, fixItem, fixMismatch, fixVerb } from './structure.ts';

interface FixRule {
  pattern: RegExp;
  propose: (match: RegExpExecArray, clue: Clue, source: SourceText) => Proposal | null;
}

export const fixRules: readonly FixRule[] = [
  { pattern: /^Undefined control sequence/, propose: (_, clue, source) => fixUndefined(clue, source) },
  {
    pattern: /Environment (\S+) undefined/,
    propose: (match, _, source) => fixEnvironment(match[1]!, source),
  },
  {
    pattern: /allowed only in math mode|^Missing \$ inserted/,
    propose: (_, clue, source) => fixMissingDollar(clue, source),
  },
  {
    pattern: /allowed only in math mode/,
    propose: (match, clue, source) => {
      const name = lastCommand(match.input.replace(/^LaTeX Error: | allowed only.*$/g, ''));
      const line = clue.line;
      if (!name || line === null) return null;
      const { tokens, spots } = source.annotated;
      const at = tokens.findIndex(
        (token, index) =>
          token.name === name &&
          spots[index]!.mode === 'text' &&
          source.positionOf(token.start).line === line,
      );
      if (at < 0) return null;
      const { from, to } = commandRange(tokens, at);
      return wrapInMaths(source, from, to);
    },
  },
  { pattern: /^(?:Too many }'s|Extra }, or forgotten (?!\\right))/, propose: removeCulprit('}') },
  {
    pattern: /\\verb illegal|\\verb ended|^Missing } inserted|scanning use of \\@xverb/,
    propose: (_, clue, source) => fixVerb(clue, source),
  },
  {
    pattern:
      /^(?:Missing \\right|Extra \\right|Missing } inserted|Extra }, or forgotten \\right|LaTeX Error: Bad math)/,
    propose: (_, clue, source) => fixDelimiter(clue, source),
  },
  {
    pattern: /^(?:Missing } inserted|File ended while scanning|Paragraph ended before|Runaway)/,
    propose: (_, clue, source) => removeBlankLine(clue, source) ?? closeBrace(clue, source),
  },
  {
    pattern: /^LaTeX Error: \\begin\{(\S+?)\}(?: on input line (\d+))? ended by \\end\{(\S+?)\}/,
    propose: fixMismatch,
  },
  {
    pattern: /^LaTeX Error: (?:File|Unable to load picture or PDF file) [`'](.+?)' not found/,
    propose: (match, _, source) => fixMissingFile(match[1]!, source),
  },
  {
    pattern: /^Misplaced alignment tab/,
    propose: (match, clue, source) => {
      const after = source.offsetAfter(clue.line, clue.before);
      const { tokens, spots } = source.annotated;
      const spot = after === null ? null : spots[tokenAt(tokens, after - 1)];
      return spot?.mode === 'math' ? null : escapeCulprit('&')(match, clue, source);
    },
  },
  { pattern: /macro parameter character #/, propose: escapeCulprit('#') },
  { pattern: /^Extra alignment tab/, propose: (_, clue, source) => fixColumns(clue, source) },
  { pattern: /^Double (?:super|sub)script/, propose: (_, clue, source) => fixDoubleScript(clue, source) },
  { pattern: /perhaps a missing \\item/, propose: (_, clue, source) => fixItem(clue, source) },
  {
    pattern: /Option clash for package (\S+?)\.?$/,
    propose: (match, _, source) => fixClash(match[1]!, source),
  },
  { pattern: /Missing \\begin\{document\}/, propose: (_, clue, source) => fixBodyStart(clue, source) },
  {
    pattern: /no legal \\end found/,
    propose: (_, __, source) => ({
      title: 'Add \\end{document}',
      edits: [insertAt(source.text.length, `${source.text.endsWith('\n') ? '' : '\n'}\\end{document}\n`)],
    }),
  },
  {
    pattern: /There's no line here to end/,
    propose: (_, clue, source) => {
      const line = clue.line;
      if (line === null) return null;
      for (const place of [line, line - 1, line - 2]) {
        const found = place > 0 ? /\\\\(?:\[[^\]]*\])?|\\newline\b/.exec(source.lineText(place)) : null;
        if (found)
          return {
            title: `Remove ${found[0]}`,
            edits: [
              cut(source.startOf(place) + found.index, source.startOf(place) + found.index + found[0].length),
            ],
          };
      }
      return null;
    },
  },
  {
    pattern: /^Display math should end with \$\$/,
    propose: (_, clue, source) => {
      const after = source.offsetAfter(clue.line, clue.before);
      if (after === null) return null;
      const at = source.text.lastIndexOf('$', after);
      return at < source.startOf(clue.line!) ? null : { title: 'End it with $$', edits: [insertAt(at, '$')] };
    },
  },
  { pattern: /^Missing delimiter/, propose: (_, clue, source) => fixBareDelimiter(clue, source) },
  {
    pattern: /^Limit controls must follow/,
    propose: (_, clue, source) => renameOnLine(clue, source, '\\limits', '', 'Remove \\limits'),
  },
  {
    pattern: /^Illegal unit of measure/,
    propose: (_, clue, source) => {
      const line = clue.line;
      const found = line === null ? null : /\{(-?\d*\.?\d+)(?:xm|)\}/.exec(source.lineText(line));
      if (!found || line === null) return null;
      const from = source.startOf(line) + found.index + 1;
      const isBare = found[0] === `{${found[1]}}`;
      return {
        title: isBare ? `Write ${found[1]}pt` : `Write ${found[1]}cm`,
        edits: [{ from, to: from + found[0].length - 2, insert: `${found[1]}${isBare ? 'pt' : 'cm'}` }],
      };
    },
  },
  {
    pattern: /Unicode character (\S+)/,
    propose: (match, clue, source) => {
      const character = [...match[1]!][0]!;
      const command = mathCharacters.get(character);
      const line = clue.line;
      const at = line === null || !command ? -1 : source.lineText(line).indexOf(character);
      if (at < 0 || line === null) return askForXelatex(source);
      const from = source.startOf(line) + at;
      return {
        title: `Write ${command}`,
        edits: [{ from, to: from + character.length, insert: `\\ensuremath{${command}}` }],
      };
    },
  },
  {
    pattern:
      /requires either XeTeX or LuaTeX|cannot-use-pdftex|Cannot be run with pdf|requires? (?:the )?(?:XeTeX|LuaTeX)|The \S+ package requires either/i,
    propose: (_, __, source) => askForXelatex(source),
  },
  {
    pattern: /Command (\\\S+) already defined/,
    propose: (match, clue, source) =>
      match[1]!.startsWith('\\end')
        ? null
        : (renameOnLine(
            clue,
            source,
            `\\newcommand{${match[1]}}`,
            `\\renewcommand{${match[1]}}`,
            'Use \\renewcommand',
          ) ??
          renameOnLine(
            clue,
            source,
            `\\newenvironment{${match[1]!.slice(1)}}`,
            `\\renewenvironment{${match[1]!.slice(1)}}`,
            'Use \\renewenvironment',
          )),
  },
  {
    pattern: /Command (\\\S+?) undefined/,
    propose: (match, clue, source) =>
      renameOnLine(
        clue,
        source,
        `\\renewcommand{${match[1]}}`,
        `\\newcommand{${match[1]}}`,
        'Use \\newcommand',
      ),
  },
  { pattern: /Did you forget a semicolon/, propose: (_, clue, source) => fixSemicolon(clue, source) },
  {
    pattern: /I do not know the key '(?:\/\w+\/)*(.+?)'/,
    propose: (match, _, source) => fixTikzKey(match[1]!, source),
  },
  { pattern: /Unknown shape "?(\w+)/, propose: (match, _, source) => fixTikzKey(match[1]!, source) },
  {
    pattern: /The font "(.+?)" cannot be found/,
    propose: (match, _, source) => {
      const at = source.text.indexOf(`{${match[1]}}`);
      return at < 0
        ? null
        : {
            title: 'Use TeX Gyre Termes',
            edits: [{ from: at + 1, to: at + 1 + match[1]!.length, insert: 'TeX Gyre Termes' }],
          };
    },
  },
  {
    pattern: /Unknown option [`'](.+?)'/,
    propose: (match, _, source) => {
      const found = new RegExp(
        `\\\\(?:usepackage|documentclass)\\[([^\\]]*\\b${literal(match[1]!)}\\b[^\\]]*)\\]`,
      ).exec(source.text);
      if (!found) return null;
      const rest = found[1]!
        .split(',')
        .filter((one) => one.trim().split('=')[0] !== match[1])
        .join(',');
      const from = found.index + found[0].indexOf('[');
      return {
        title: `Do without ${match[1]}`,
        edits: [{ from, to: found.index + found[0].length, insert: rest === '' ? '' : `[${rest}]` }],
      };
    },
  },
  {
    pattern: /^Misplaced \\noalign/,
    propose: (_, clue, source) => {
      const line = clue.line;
      const at =
        line === null ? -1 : source.lineText(line).search(/\\(?:hline|toprule|midrule|bottomrule|cline)\b/);
      if (line === null || at < 0) return null;
      return { title: 'End the row before it', edits: [insertAt(source.startOf(line) + at, '\\\\ ')] };
    },
  },
  { pattern: /Can be used only in preamble/, propose: (_, clue, source) => moveToPreamble(clue, source) },
  {
    pattern: /picture or PDF file '(.+?)'|Package \S+ Error: File `(.+?)' not found/,
    propose: (match, _, source) => fixMissingFile((match[1] ?? match[2])!, source),
  },
  {
    pattern: /Package keyval Error: (\S+) undefined/,
    propose: (match, clue, source) => {
      const letters = (text: string) => [...text].sort().join('');
      const meant = pictureKeys.find((key) => letters(key) === letters(match[1]!));
      return meant ? renameOnLine(clue, source, match[1]!, meant, `Change ${match[1]} to ${meant}`) : null;
    },
  },
  {
    pattern: /Bad math environment delimiter/,
    propose: (_, clue, source) => {
      const after = source.offsetAfter(clue.line, clue.before);
      const mark = after === null ? '' : source.text.slice(after - 2, after);
      return after !== null && (mark === '\\[' || mark === '\\]')
        ? { title: `Remove this ${mark}`, edits: [cut(after - 2, after)] }
        : null;
    },
  },
  {
    pattern: /Multiple \\tag/,
    propose: (_, { line }, source) => {
      for (const place of line === null ? [] : [line, line - 1]) {
        const found = [...source.lineText(place).matchAll(/\s*\\tag\*?\{[^}]*\}/g)];
        if (found.length < 2) continue;
        const from = source.startOf(place) + found[1]!.index;
        return { title: 'Remove the second \\tag', edits: [cut(from, from + found[1]![0].length)] };
      }
      return null;
    },
  },
  {
    pattern: /scanning use of \\@xverbatim/,
    propose: (_, __, source) => {
      const at = source.text.lastIndexOf('\\begin{verbatim}');
      if (at < 0) return null;
      for (let next = source.positionOf(at).line + 1; next <= source.lineCount; next++)
        if (/^\s*(?:\\end\{document\})?\s*$/.test(source.lineText(next)))
          return {
            title: 'Add \\end{verbatim}',
            edits: [insertAt(source.startOf(next), '\\end{verbatim}\n')],
          };
      return null;
    },
  },
  {
    pattern: /caption outside float/,
    propose: (_, clue, source) => {
      const edit = toPreamble(source, '\\usepackage{caption}');
      const moved = renameOnLine(clue, source, '\\caption{', '\\captionof{figure}{', 'Use \\captionof');
      return moved && edit ? { title: moved.title, edits: [...moved.edits, edit] } : null;
    },
  },
  {
    pattern: /No \\title given/,
    propose: (_, __, source) => {
      const edit = toPreamble(source, '\\title{Title}');
      return edit && { title: 'Add \\title', edits: [edit] };
    },
  },
  {
    pattern: /Lonely \\item/,
    propose: (_, { line }, source) => {
      const at = line === null ? -1 : source.lineText(line).indexOf('\\item');
      if (line === null || at < 0) return null;
      let last = line;
      const goesOn = (text: string) => /\S/.test(text) && !/\\(?:end|begin|(?:sub)*section)\b/.test(text);
      while (last < source.lineCount && goesOn(source.lineText(last + 1))) last++;
      return {
        title: 'Make it a list',
        edits: [
          insertAt(source.startOf(line) + at, '\\begin{itemize}\n'),
          insertAt(source.endOf(last), '\n\\end{itemize}'),
        ],
      };
    },
  },
  {
    pattern: /Unknown function `of'/,
    propose: (_, __, source) => fixTikzKey('below of', source),
  },
  {
    pattern: /^Reference `(.+?)' on page/,
    propose: (match, clue, source) => fixLabel(match[1]!, clue, source),
  },
];
