/** Source text as TeX prints it: dashes, quotation marks and ties. Not for formulas. */
export function typesetWords(source: string): string {
  return source
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”')
    .replaceAll('`', '‘')
    .replaceAll("'", '’')
    .replaceAll('~', '\u00a0');
}
