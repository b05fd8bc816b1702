/** Lists the entries of the document's bibliographies for citing. */
import type { Figure } from '#shared/api/conversion.ts';
import { decodeBase64 } from '#web/lib/pdf/pdf-address.ts';
import type { Citation } from '#web/ui/source-editor/extensions/completion.ts';

/** More than anybody would choose from. */
const maxCitations = 5_000;
const entry = /@\s*(\w+)\s*[{(]\s*([^\s,{}()"]+)\s*,/g;
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
      found.set(key, { key, detail: describeEntry(body) });
    });
  }
  return [...found.values()];
}

function describeEntry(body: string): string {
  const author = readField(body, 'author') || readField(body, 'editor');
  const family = author
    .split(/\s+and\s+/)[0]!
    .replace(/^(.*),.*$/, '$1')
    .replace(/^.*\s(?=\S+$)/, '');
  const year = readField(body, 'year') || readField(body, 'date').slice(0, 4);
  return [family, year, readField(body, 'title').slice(0, 60)].filter(Boolean).join(' · ');
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
