/** Fixes for files, packages, options, fonts and what belongs before the text. */
import { literal } from '../../source/escape.ts';
import { isKnownPackage } from '../../source/package-table.ts';
import { listCommands } from '../../source/read-commands.ts';
import type { SourceText } from '../../source/source-text.ts';
import { mathCharacters } from '../../source/unicode-table.ts';
import { nearestOf, nearestPackage } from '../names.ts';
import type { Fixer, Proposal } from '../rule.ts';
import { cut, insertAt, toPreamble } from './edits.ts';
import { askForXelatex } from './engines.ts';

/** The command on or near a line that contains a name, with all its arguments. */
function commandNaming(source: SourceText, name: string): { from: number; to: number } | null {
  const pattern = new RegExp(`\\\\[A-Za-z]+\\*?(?:\\[[^\\]]{0,300}\\])?\\{${literal(name)}\\}`, 'g');
  for (const found of source.text.matchAll(pattern)) {
    const lineStart = source.startOf(source.positionOf(found.index).line);
    if (!source.text.slice(lineStart, found.index).includes('%'))
      return { from: found.index, to: found.index + found[0].length };
  }
  return null;
}

const classes = [
  'article',
  'report',
  'book',
  'letter',
  'beamer',
  'scrartcl',
  'scrreprt',
  'scrbook',
  'amsart',
  'exam',
];

export const fixMissingFile: Fixer = (_, source, match) => {
  const name = (match[1] ?? match[2])!;
  const [, stem, extension] = /^(.*?)(?:\.(sty|cls|tex))?$/.exec(name)!;
  if (extension === 'sty') return fixPackage(stem!, source);
  const range =
    commandNaming(source, extension === 'tex' || extension === 'cls' ? stem! : name) ??
    commandNaming(source, name);
  if (!range) return null;
  if (extension === 'cls') {
    const from = range.to - 1 - stem!.length;
    const meant = nearestOf(stem!, classes) ?? 'article';
    return { title: `Use the class ${meant}`, edits: [{ from, to: range.to - 1, insert: meant }] };
  }
  return { title: `Remove ${source.text.slice(range.from, range.to)}`, edits: [cut(range.from, range.to)] };
};

function fixPackage(stem: string, source: SourceText): Proposal[] {
  const meant = isKnownPackage(stem) ? null : nearestPackage(stem);
  const found = source.packages.find(({ names }) => names.includes(stem));
  if (!found) return [];
  const { names, argument, start, end } = found;
  const proposals: Proposal[] = [];
  if (meant) {
    const from = source.text.lastIndexOf(stem, argument.end);
    proposals.push({
      title: `Change ${stem} to ${meant}`,
      edits: [{ from, to: from + stem.length, insert: meant }],
    });
  }
  if (names.length > 1) {
    const rest = names.filter((one) => one !== stem).join(',');
    proposals.push({
      title: `Do without ${stem}`,
      edits: [{ from: argument.start, to: argument.end, insert: rest }],
    });
  } else proposals.push({ title: `Remove \\usepackage{${stem}}`, edits: [cut(start, end)] });
  return proposals;
}

export const fixClash: Fixer = (_, source, match) => {
  const name = match[1]!;
  const found = source.packages.filter(({ names }) => names.length === 1 && names[0] === name);
  if (found.length < 2) return null;
  const given = found
    .flatMap(({ options }) => (options ? source.text.slice(options.start, options.end).split(',') : []))
    .map((one) => one.trim());
  const options = [...new Set(given)].filter(Boolean);
  const [first, ...others] = found;
  return {
    title: `Load ${name} once, with all options`,
    edits: [
      {
        from: first!.start,
        to: first!.end,
        insert: `\\usepackage[${options.join(',')}]{${name}}`,
      },
      ...others.map((one) => cut(one.start, one.end)),
    ],
  };
};

export const dropOption: Fixer = (_, source, match) => {
  const option = match[1]!;
  const isIt = (one: string) => one.trim().split('=')[0] === option;
  for (const { options } of listCommands(source.annotated.tokens, /^(?:usepackage|documentclass)$/)) {
    const given = options ? source.text.slice(options.start, options.end).split(',') : [];
    if (!options || !given.some(isIt)) continue;
    const rest = given.filter((one) => !isIt(one)).join(',');
    return {
      title: `Do without ${option}`,
      edits: [{ from: options.start - 1, to: options.end + 1, insert: rest === '' ? '' : `[${rest}]` }],
    };
  }
  return null;
};

export const fixCharacter: Fixer = (complaint, source, match) => {
  const character = [...match[1]!][0]!;
  const command = mathCharacters.get(character);
  const { line } = complaint;
  const at = line === null || !command ? -1 : source.lineText(line).indexOf(character);
  if (at < 0 || line === null) return askForXelatex(complaint, source, match);
  const from = source.startOf(line) + at;
  return {
    title: `Write ${command}`,
    edits: [{ from, to: from + character.length, insert: `\\ensuremath{${command}}` }],
  };
};

export const fixFont: Fixer = (_, source, match) => {
  const at = source.text.indexOf(`{${match[1]}}`);
  return at < 0
    ? null
    : {
        title: 'Use TeX Gyre Termes',
        edits: [{ from: at + 1, to: at + 1 + match[1]!.length, insert: 'TeX Gyre Termes' }],
      };
};

export const moveToPreamble: Fixer = ({ line }, source) => {
  const body = source.bodyStart;
  if (line === null || body === null) return null;
  const text = source.lineText(line);
  const found = /\\(?:usepackage|includeonly|documentclass)(?:\[[^\]]{0,300}\])?\{[^}]{0,300}\}/.exec(text);
  if (!found) return null;
  const from = source.startOf(line) + found.index;
  return {
    title: 'Move it to the preamble',
    edits: [insertAt(body, `${found[0]}\n`), cut(from, from + found[0].length)],
  };
};

const textBegins =
  /^\s*(?:\\(?:maketitle|tableofcontents|part|chapter|(?:sub)*section|begin|noindent|thispagestyle|centering|frontmatter|paragraph)\b|[^\\%{}\s])/;

/** A document whose body has no beginning, or begins too early. */
export const fixBodyStart: Fixer = ({ line }, source) => {
  const body = source.bodyStart;
  const addAt = (at: number): Proposal => ({
    title: 'Add \\begin{document}',
    edits: [insertAt(at, '\\begin{document}\n')],
  });
  if (body === null) {
    const proposals = line === null ? [] : [addAt(source.startOf(line))];
    for (let at = 2; at <= source.lineCount; at++)
      if (
        textBegins.test(source.lineText(at)) &&
        !/^\s*\\begin\{(?:filecontents|comment)/.test(source.lineText(at))
      ) {
        proposals.unshift(addAt(source.startOf(at)));
        break;
      }
    return proposals;
  }
  if (line === null) return null;
  const start = source.startOf(line);
  if (start >= body || !/^[^\\%{}]+$/.test(source.lineText(line))) return null;
  const end = source.text.indexOf('}', body) + 1;
  return {
    title: 'Move it after \\begin{document}',
    edits: [cut(start, Math.min(source.endOf(line) + 1, body)), insertAt(end, `\n${source.lineText(line)}`)],
  };
};

export const addTitle: Fixer = (_, source) => {
  const edit = toPreamble(source, '\\title{Title}');
  return edit && { title: 'Add \\title', edits: [edit] };
};

export const endDocument: Fixer = (_, source) => ({
  title: 'Add \\end{document}',
  edits: [insertAt(source.text.length, `${source.text.endsWith('\n') ? '' : '\n'}\\end{document}\n`)],
});
