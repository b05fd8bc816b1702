/** What TeX sets for signs that a keyboard has no key for, in running text: dashes and quotation marks. */
export function printLigatures(text: string): string {
  return text
    .replace(/---/g, '—')
    .replace(/--/g, '–')
    .replace(/``/g, '“')
    .replace(/''/g, '”')
    .replace(/`/g, '‘')
    .replace(/'/g, '’');
}
