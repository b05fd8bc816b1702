/** Plain tables for the preview: rows and cells in source order. */

/** Cells in LaTeX, row by row; null if the table is not plain (spanned cells, nested tables). */
export function parseTable(body: string): string[][] | null {
  const columns = /^\s*(?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}/.exec(body);
  const content = columns && body.slice(columns[0].length);
  if (content === null || /\\(multicolumn|multirow|begin)\b/.test(content)) return null;
  const rows = split(content.replace(rules, ''), '\\\\')
    .map((row) => row.replace(/^\s*\[[^\]]*\]/, '').trim())
    .filter((row) => row !== '');
  return rows.map((row) => split(row, '&').map((cell) => cell.trim()));
}

const rules =
  /\\(?:hline|toprule|midrule|bottomrule)\b(?:\[[^\]]*\])?|\\(?:cline|cmidrule)(?:\([^)]*\))?\{[^}]*\}/g;

/** Splits at the separator, unless it is escaped or inside braces or a formula. */
function split(text: string, mark: '&' | '\\\\'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isMath = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const isFree = depth === 0 && !isMath;
    if (isFree && text.startsWith(mark, at)) {
      parts.push(text.slice(start, at));
      at += mark.length - 1;
      start = at + 1;
    } else if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === '$') isMath = !isMath;
  }
  parts.push(text.slice(start));
  return parts;
}
