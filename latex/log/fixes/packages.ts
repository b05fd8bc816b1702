/** Fixes for what is not defined, not loaded or not found. */

import { definedCommands } from '../../assemble/preamble.ts';
import { theoremEnvironments } from '../../source/commands.ts';
import { findCommandPackage, findEnvironmentPackage, isKnownPackage } from '../../source/package-table.ts';
import type { SourceText } from '../../source/source-text.ts';
import { nearestCommand, nearestEnvironment, nearestPackage } from '../names.ts';
import { lastCommand } from '../suggest.ts';
import { cut, insertAt, isLoaded, literal, loadPackage, toPreamble } from './edits.ts';
import type { Clue, Proposal } from './proposal.ts';

export function fixUndefined({ breakPoint, before }: Clue, source: SourceText): Proposal | null {
  const name = lastCommand(breakPoint) ?? lastCommand(before);
  if (!name) return null;
  const uses = source.annotated.tokens.filter(
    (token) =>
      (token.kind === 'command' || token.kind === 'verbatim') && token.name.replace(/\*$/, '') === name,
  );
  if (uses.length === 0) return null;
  const owner = findCommandPackage(name);
  if (owner) return isLoaded(source, owner) ? null : loadPackage(source, owner);
  const meant = nearestName(name, source);
  if (!meant) return null;
  const edits = uses.map(({ start }) => ({ from: start + 1, to: start + 1 + name.length, insert: meant }));
  const brought = findCommandPackage(meant);
  const load = brought && !isLoaded(source, brought) ? loadPackage(source, brought) : null;
  return { title: `Change \\${name} to \\${meant}`, edits: [...edits, ...(load?.edits ?? [])] };
}

/** What the document defines itself comes before the common names. */
function nearestName(name: string, source: SourceText): string | null {
  for (const own of definedCommands(source.text)) {
    const plain = own.replace(/^\\/, '');
    if (plain !== name && plain.toLowerCase() === name.toLowerCase()) return plain;
  }
  return nearestCommand(name);
}

export function fixEnvironment(name: string, source: SourceText): Proposal | null {
  const owner = findEnvironmentPackage(name);
  if (owner && !isLoaded(source, owner)) return loadPackage(source, owner);
  if (theoremEnvironments.has(name.toLowerCase())) {
    const line = `\\newtheorem{${name}}{${name[0]!.toUpperCase()}${name.slice(1)}}`;
    const edit = toPreamble(source, line);
    return edit && { title: `Add ${line}`, edits: [edit] };
  }
  const meant = nearestEnvironment(name);
  if (!meant) return null;
  const edits = source.annotated.tokens.flatMap((token) => {
    if ((token.kind !== 'begin' && token.kind !== 'end') || token.name !== name) return [];
    const from = source.text.indexOf('{', token.start) + 1;
    return [{ from, to: token.end - 1, insert: meant }];
  });
  return { title: `Change ${name} to ${meant}`, edits };
}

/** The command on or near a line that names something, with all its arguments. */
function commandNaming(source: SourceText, name: string): { from: number; to: number } | null {
  const pattern = new RegExp(`\\\\[A-Za-z]+\\*?(?:\\[[^\\]]*\\])?\\{${literal(name)}\\}`, 'g');
  for (const found of source.text.matchAll(pattern)) {
    const lineStart = source.startOf(source.positionOf(found.index).line);
    if (!source.text.slice(lineStart, found.index).includes('%'))
      return { from: found.index, to: found.index + found[0].length };
  }
  return null;
}

export function fixMissingFile(name: string, source: SourceText): Proposal | null {
  const [, stem, extension] = /^(.*?)(?:\.(sty|cls|tex))?$/.exec(name)!;
  if (extension === 'sty') {
    const meant = isKnownPackage(stem!) ? null : nearestPackage(stem!);
    const found = new RegExp(
      `\\\\usepackage(?:\\[[^\\]]*\\])?\\{[^}]*?\\b(${literal(stem!)})\\b[^}]*\\}`,
    ).exec(source.text);
    if (!found) return null;
    if (meant) {
      const from = found.index + found[0].lastIndexOf(stem!);
      return {
        title: `Change ${stem} to ${meant}`,
        edits: [{ from, to: from + stem!.length, insert: meant }],
      };
    }
    const names = /\{([^}]*)\}$/.exec(found[0])![1]!.split(',');
    if (names.length > 1) {
      const rest = names.filter((one) => one.trim() !== stem).join(',');
      const from = found.index + found[0].lastIndexOf('{') + 1;
      return {
        title: `Do without ${stem}`,
        edits: [{ from, to: found.index + found[0].length - 1, insert: rest }],
      };
    }
    return {
      title: `Remove \\usepackage{${stem}}`,
      edits: [cut(found.index, found.index + found[0].length)],
    };
  }
  const range =
    commandNaming(source, extension === 'tex' || extension === 'cls' ? stem! : name) ??
    commandNaming(source, name);
  if (!range) return null;
  if (extension === 'cls') {
    const from = range.to - 1 - stem!.length;
    return { title: 'Use the class article', edits: [{ from, to: range.to - 1, insert: 'article' }] };
  }
  return { title: `Remove ${source.text.slice(range.from, range.to)}`, edits: [cut(range.from, range.to)] };
}

export function fixClash(name: string, source: SourceText): Proposal | null {
  const pattern = new RegExp(`[ \\t]*\\\\usepackage(?:\\[([^\\]]*)\\])?\\{${literal(name)}\\}`, 'g');
  const found = [...source.text.matchAll(pattern)];
  if (found.length < 2) return null;
  const options = [
    ...new Set(found.flatMap((one) => (one[1] ?? '').split(',')).map((one) => one.trim())),
  ].filter(Boolean);
  const [first, ...others] = found;
  return {
    title: `Load ${name} once, with all options`,
    edits: [
      {
        from: first!.index,
        to: first!.index + first![0].length,
        insert: `\\usepackage[${options.join(',')}]{${name}}`,
      },
      ...others.map((one) => cut(one.index, one.index + one[0].length)),
    ],
  };
}

export function askForXelatex(source: SourceText): Proposal | null {
  const found = /^[ \t]*%+\s*!\s*TEX\s+(?:TS-)?program\s*=\s*([A-Za-z-]+)/im.exec(source.text);
  if (!found) return null;
  const to = found.index + found[0].length;
  return { title: 'Compile with xelatex', edits: [{ from: to - found[1]!.length, to, insert: 'xelatex' }] };
}

export function moveToPreamble(clue: Clue, source: SourceText): Proposal | null {
  const body = source.bodyStart;
  if (clue.line === null || body === null) return null;
  const text = source.lineText(clue.line);
  const found = /\\(?:usepackage|includeonly|documentclass)(?:\[[^\]]*\])?\{[^}]*\}/.exec(text);
  if (!found) return null;
  const from = source.startOf(clue.line) + found.index;
  return {
    title: 'Move it to the preamble',
    edits: [insertAt(body, `${found[0]}\n`), cut(from, from + found[0].length)],
  };
}

export function fixBodyStart(clue: Clue, source: SourceText): Proposal | null {
  const body = source.bodyStart;
  if (clue.line === null) return null;
  const start = source.startOf(clue.line);
  if (body === null)
    return { title: 'Add \\begin{document}', edits: [insertAt(start, '\\begin{document}\n')] };
  if (start >= body || !/^[^\\%{}]+$/.test(source.lineText(clue.line))) return null;
  const end = source.text.indexOf('}', body) + 1;
  return {
    title: 'Move it after \\begin{document}',
    edits: [
      cut(start, Math.min(source.endOf(clue.line) + 1, body)),
      insertAt(end, `\n${source.lineText(clue.line)}`),
    ],
  };
}
