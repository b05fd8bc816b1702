/** Fixes for TikZ pictures and labels. */

import type { SourceText } from '../../source/source-text.ts';
import { insertAt, renameOnLine, toPreamble } from './edits.ts';
import type { Clue, Proposal } from './proposal.ts';

export function fixSemicolon(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  for (let line = clue.line; line >= Math.max(1, clue.line - 10); line--) {
    const text = source.lineText(line).trimEnd();
    if (/\\begin\{tikzpicture\}/.test(text)) return null;
    if (!/^\s*\\(?:draw|fill|filldraw|node|path|coordinate|shade|clip)\b/.test(text) || text.endsWith(';'))
      continue;
    if (!/^\s*(?:\\|$)/.test(source.lineText(line + 1))) continue;
    return { title: 'Add the missing ;', edits: [insertAt(source.startOf(line) + text.length, ';')] };
  }
  return null;
}

export const pictureKeys = ['width', 'height', 'scale', 'angle', 'trim', 'clip', 'page', 'keepaspectratio'];

const libraries: Record<string, string> = {
  diamond: 'shapes.geometric',
  ellipse: 'shapes.geometric',
  trapezium: 'shapes.geometric',
  cylinder: 'shapes.geometric',
  star: 'shapes.geometric',
  cloud: 'shapes.symbols',
  'below of': 'positioning',
  fit: 'fit',
  matrix: 'matrix',
};

export function fixTikzKey(key: string, source: SourceText): Proposal | null {
  if (key === 'colour') {
    const at = source.text.search(/\bcolour\s*=/);
    return at < 0
      ? null
      : { title: 'Change colour to color', edits: [{ from: at, to: at + 6, insert: 'color' }] };
  }
  const library = libraries[key];
  const edit = library && toPreamble(source, `\\usetikzlibrary{${library}}`);
  return edit ? { title: `Add \\usetikzlibrary{${library}}`, edits: [edit] } : null;
}

export function fixLabel(name: string, clue: Clue, source: SourceText): Proposal | null {
  const labels = [...source.text.matchAll(/\\label\{([^}]*)\}/g)].map(([, label]) => label!);
  const sorted = (text: string) => [...text].sort().join('');
  const meant = labels.find((label) => label !== name && sorted(label) === sorted(name));
  return meant ? renameOnLine(clue, source, `{${name}}`, `{${meant}}`, `Change ${name} to ${meant}`) : null;
}
