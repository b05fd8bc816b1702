/** Lists the entries of the document's bibliographies for citing. */
import type { Figure } from '#shared/api/conversion.ts';
import { decodeBase64 } from '#web/lib/pdf/pdf-address.ts';
import type { Citation } from '#web/ui/source-editor/extensions/surroundings.ts';

/** More than anybody would choose from. */
const maxCitations = 5_000;
const entry = /@\s*(\w+)\s*[{(]\s*([^\s,{}()"]+)\s*,/g;
/** Of more authors than this the rest are “others”. */
const maxNames = 6;
/** Entries that cannot be cited. */
const notCited = /^(?:comment|preamble|string)$/i;

/** Every key of the bibliographies, with author, year and title if the entry has them. */
export function listCitations(figures: readonly Figure[]): Citation[] {
  const found = new Map<string, Citation>();
  for (const { name, data_base64 } of figures) {
    if (!/\.bib$/i.test(name)) continue;
    const text = new TextDecoder().decode(decodeBase64(data_base64));
    const entries = [...text.matchAll(entry)];
    entries.forEach((match, at) => {
      const [, type = '', key = ''] = match;
      if (notCited.test(type) || found.has(key) || found.size >= maxCitations) return;
      const body = text.slice(match.index, entries[at + 1]?.index ?? text.length);
      found.set(key, { key, ...describeEntry(body) });
    });
  }
  return [...found.values()];
}

function describeEntry(body: string): Pick<Citation, 'detail' | 'entry'> {
  const author = readField(body, 'author') || readField(body, 'editor');
  const names = author.split(/\s+and\s+/);
  const family = names[0]!.replace(/^(.*),.*$/, '$1').replace(/^.*\s(?=\S+$)/, '');
  const year = readField(body, 'year') || readField(body, 'date').slice(0, 4);
  const title = readField(body, 'title');
  const where =
    ['journal', 'journaltitle', 'booktitle', 'publisher', 'school', 'institution', 'howpublished']
      .map((name) => readField(body, name))
      .find(Boolean) ?? '';
  const people = names.slice(0, maxNames).map((name) => name.replace(/^([^,]*),\s*(.*)$/, '$2 $1'));
  const authors = people.join(', ') + (names.length > maxNames ? ' and others' : '');
  return {
    detail: [family, year, title.slice(0, 60)].filter(Boolean).join(' · '),
    entry: [title, authors, [where, year].filter(Boolean).join(', ')].filter(Boolean),
  };
}

function readField(body: string, name: string): string {
  const value = new RegExp(`\\b${name}\\s*=\\s*(\\{(?:[^{}]|\\{[^{}]*\\})*\\}|"[^"]*"|\\w+)`, 'i').exec(
    body,
  )?.[1];
  return (value ?? '')
    .replace(/[{}"\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
