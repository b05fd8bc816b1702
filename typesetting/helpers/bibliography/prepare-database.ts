/**
 * Prepares a bibliography file for BibTeX: UTF-8, with accented letters in names written so that BibTeX can
 * tell their case.
 */

/** TeX's names of combining marks. */
const accents: Record<string, string> = {
  '\u0300': '`',
  '\u0301': "'",
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '=',
  '\u0306': 'u',
  '\u0307': '.',
  '\u0308': '"',
  '\u030a': 'r',
  '\u030b': 'H',
  '\u030c': 'v',
  '\u0323': 'd',
  '\u0327': 'c',
  '\u0328': 'k',
  '\u0331': 'b',
};
const letters: Record<string, string> = {
  Ø: '\\O',
  ø: '\\o',
  Ł: '\\L',
  ł: '\\l',
  Æ: '\\AE',
  æ: '\\ae',
  Œ: '\\OE',
  œ: '\\oe',
  ß: '\\ss',
};
const nameField =
  /\b(?:author|editor[abc]?|translator|bookauthor|annotator|commentator|afterword|foreword|introduction|holder|shortauthor|shorteditor)\s*=\s*(?=[{"])/gi;

/**
 * @param bytes UTF-8, or what is not as Windows-1252
 * BibTeX takes a word that begins with a capital beyond ASCII for a particle (`von`), and a byte of it for an initial.
 */
export function prepareDatabase(bytes: Uint8Array): string {
  const text = decodeDatabase(bytes);
  if (!/[^\0-\x7f]/.test(text)) return text;
  let out = '';
  let copiedTo = 0;
  for (const { 0: head, index } of text.matchAll(nameField)) {
    const start = index + head.length;
    if (start < copiedTo) continue;
    const end = endOfValue(text, start);
    out += text.slice(copiedTo, start) + text.slice(start, end).replace(/[^\0-\x7f]/gu, writeLetter);
    copiedTo = end;
  }
  return out + text.slice(copiedTo);
}

/** A bibliography file's text, for programs that support Unicode. */
export function decodeDatabase(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The end of the value that opens with a brace or a quotation mark at `start`; the text's end if it never closes. */
function endOfValue(text: string, start: number): number {
  const isQuoted = text[start] === '"';
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0 && !isQuoted) return at + 1;
    else if (sign === '"' && isQuoted && depth === 0 && at > start) return at + 1;
  }
  return text.length;
}

function writeLetter(letter: string): string {
  if (Object.hasOwn(letters, letter)) return `{${letters[letter]}}`;
  const [base, mark, ...more] = letter.normalize('NFD');
  const accent = mark && more.length === 0 ? accents[mark] : undefined;
  if (!accent || !/[A-Za-z]/.test(base!)) return letter;
  return `{\\${accent}${base === 'i' || base === 'j' ? `{\\${base}}` : `{${base}}`}}`;
}
