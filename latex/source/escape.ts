const replacements: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

/**
 * Plain text as LaTeX that prints exactly that text: every character special to TeX is escaped and characters that
 * TeX refuses (controls other than tab and line feed, lone surrogates, non-characters) are left out.
 */
export function escapeLatex(text: string): string {
  return dropUnprintable(text).replace(/[\\{}$&#%_^~]/g, (character) => replacements[character]!);
}

/** Leaves out what no TeX engine reads: controls other than tab and line feed, lone surrogates, non-characters, BOM. */
export function dropUnprintable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u2028\u2029]/g, '\n')
    .toWellFormed()
    .replace(unprintable, '');
}

/** A pattern that matches exactly this text. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is its purpose
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2060\ufeff\ufffd-\uffff]/g;
