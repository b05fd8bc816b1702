/** Plain text to LaTeX that typesets it. */

const special: Record<string, string> = {
  '\\': '\\textbackslash{}', '{': '\\{', '}': '\\}', '$': '\\$', '&': '\\&', '#': '\\#', '%': '\\%', '_': '\\_',
  '^': '\\textasciicircum{}', '~': '\\textasciitilde{}', '<': '\\textless{}', '>': '\\textgreater{}', '|': '\\textbar{}',
  '“': '“', '”': '”', '–': '--', '—': '---', '…': '\\dots{}', '\u00a0': '~', '\u00ad': '\\-', '`': '\\textasciigrave{}', '"': '\\textquotedbl{}',
}; // biome-ignore format: a table

/** Escapes every character that LaTeX would take as an instruction. */
export function escapeText(text: string): string {
  let out = '';
  for (const character of text) out += special[character] ?? character;
  return out;
}
