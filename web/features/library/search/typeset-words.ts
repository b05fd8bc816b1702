/** Words of a source as TeX sets them: its dashes, quotation marks and ties. Formulas are no words. */
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
