/** Converts plain text to LaTeX that prints it. */

import { markDoubt, unknownCharacter } from './doubt.ts';
import { latexLogo, texLogo } from './glyphs/accents.ts';

const special: Record<string, string> = {
  '\\': '\\textbackslash{}', '{': '\\{', '}': '\\}', '$': '\\$', '&': '\\&', '#': '\\#', '%': '\\%', '_': '\\_',
  '^': '\\textasciicircum{}', '~': '\\textasciitilde{}', '<': '\\textless{}', '>': '\\textgreater{}', '|': '\\textbar{}',
  '“': '“', '”': '”', '–': '--', '—': '---', '…': '\\dots{}', '\u00a0': '~', '\u00ad': '\\-', '`': '\\textasciigrave{}', '"': '\\textquotedbl{}',
  [unknownCharacter]: markDoubt('?'),
  [latexLogo]: '\\LaTeX{}',
  [texLogo]: '\\TeX{}',
}; // biome-ignore format: a table

/** Escapes every character that LaTeX would interpret. */
export function escapeText(text: string): string {
  let out = '';
  for (const character of text) out += special[character] ?? character;
  return out;
}
