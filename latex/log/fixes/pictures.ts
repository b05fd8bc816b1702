/** Fixes for TikZ pictures and labels. */

import { literal } from '../../source/escape.ts';
import { listLabels } from '../../source/read-commands.ts';
import type { SourceText } from '../../source/source-text.ts';
import { nearestOf } from '../names.ts';
import type { Fixer, Proposal } from '../rule.ts';
import { insertAt, renameOnLine, toPreamble } from './edits.ts';

export const fixSemicolon: Fixer = ({ line: reported }, source) => {
  if (reported === null) return null;
  for (let line = reported; line >= Math.max(1, reported - 10); line--) {
    const text = source.lineText(line).trimEnd();
    if (/\\begin\{tikzpicture\}/.test(text)) return null;
    if (!/^\s*\\(?:draw|fill|filldraw|node|path|coordinate|shade|clip)\b/.test(text) || text.endsWith(';'))
      continue;
    if (!/^\s*(?:\\|$)/.test(source.lineText(line + 1))) continue;
    return { title: 'Add the missing ;', edits: [insertAt(source.startOf(line) + text.length, ';')] };
  }
  return null;
};

const pictureKeys = ['width', 'height', 'scale', 'angle', 'trim', 'clip', 'page', 'keepaspectratio'];

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

function fixKeyNamed(key: string, source: SourceText): Proposal | null {
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

export const fixTikzKey: Fixer = (_, source, match) => fixKeyNamed(match[1]!, source);

export const usePositioning: Fixer = (_, source) => fixKeyNamed('below of', source);

export const fixKey: Fixer = (complaint, source, match) => {
  const key = match[1]!;
  const letters = (text: string) => [...text].sort().join('');
  const meant = pictureKeys.find((known) => letters(known) === letters(key)) ?? nearestOf(key, pictureKeys);
  return meant ? renameOnLine(complaint, source, key, meant, `Change ${key} to ${meant}`) : null;
};

export const fixLength: Fixer = ({ line }, source) => {
  const found = line === null ? null : /\{(-?\d*\.?\d+)(?:xm|)\}/.exec(source.lineText(line));
  if (!found || line === null) return null;
  const from = source.startOf(line) + found.index + 1;
  const unit = found[0] === `{${found[1]}}` ? 'pt' : 'cm';
  return {
    title: `Write ${found[1]}${unit}`,
    edits: [{ from, to: from + found[0].length - 2, insert: `${found[1]}${unit}` }],
  };
};

const colours =
  'black white red green blue cyan magenta yellow gray darkgray lightgray brown lime olive orange pink purple teal violet'.split(
    ' ',
  );

/** The document's own colours are tried before xcolor's; a name close to none of them is defined. */
export const fixColour: Fixer = (_, source, match) => {
  const name = match[1]!;
  const own = [...source.text.matchAll(/\\(?:definecolor|colorlet)\{([^}]{0,300})\}/g)].map(
    ([, one]) => one!,
  );
  const meant = nearestOf(name, [...own, ...colours]);
  const proposals: Proposal[] = [];
  const edits = [...source.text.matchAll(new RegExp(`(?<=[{=,!\\s])${literal(name)}(?=[},!\\]])`, 'g'))].map(
    ({ index }) => ({ from: index, to: index + name.length, insert: meant ?? '' }),
  );
  if (meant && edits.length > 0) proposals.push({ title: `Change ${name} to ${meant}`, edits });
  const line = `\\colorlet{${name}}{black}`;
  const define = toPreamble(source, line);
  if (define) proposals.push({ title: `Add ${line}`, edits: [define] });
  return proposals;
};

export const fixLabel: Fixer = (complaint, source, match) => {
  const name = match[1]!;
  const labels = listLabels(source.text, source.annotated.tokens);
  const sorted = (text: string) => [...text].sort().join('');
  const meant = labels.find((label) => label.name !== name && sorted(label.name) === sorted(name))?.name;
  return meant
    ? renameOnLine(complaint, source, `{${name}}`, `{${meant}}`, `Change ${name} to ${meant}`)
    : null;
};
