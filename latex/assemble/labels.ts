/** Makes `\label`s unique across pages and renames their references. */
import { referenceCommands } from '../source/commands.ts';
import { readGroup } from '../source/matches.ts';
import { scanLatex } from '../source/scan.ts';
import type { Splice } from '../source/splice.ts';

const referring = new Set([...referenceCommands, 'hyperref', 'crefrange']);

/**
 * Returns splices that rename this page's labels already used by earlier pages, and the page's references to them.
 * Adds the page's labels to `taken`. References to other pages' labels are unchanged.
 */
export function renameLabels(body: string, page: number, taken: Set<string>): Splice[] {
  const tokens = scanLatex(body);
  const splices: Splice[] = [];
  const renamed = new Map<string, string>();
  const own = new Set<string>();
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || token.name !== 'label') return;
    const group = readGroup(tokens, index + 1);
    if (!group) return;
    const label = body.slice(group.start, group.end).trim();
    if (!own.has(label) && !taken.has(label)) {
      own.add(label);
      return;
    }
    const base = own.has(label) ? `${label}-` : `${label}-p${page}`;
    let fresh = own.has(label) ? `${base}2` : base;
    for (let n = 2; taken.has(fresh) || own.has(fresh); n++)
      fresh = own.has(label) ? `${base}${n}` : `${base}-${n}`;
    splices.push({ start: group.start, end: group.end, text: fresh });
    // Within a page references point to the first label of a name.
    if (!own.has(label)) renamed.set(label, fresh);
    own.add(label);
    own.add(fresh);
  });
  for (const label of own) if (!renamed.has(label)) taken.add(label);
  for (const label of renamed.values()) taken.add(label);
  if (renamed.size === 0) return splices;
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || !referring.has(token.name)) return;
    const group = readGroup(tokens, index + 1);
    if (!group) return;
    const labels = body.slice(group.start, group.end).split(',');
    const mapped = labels.map((label) => renamed.get(label.trim()) ?? label).join(',');
    if (mapped !== labels.join(',')) splices.push({ start: group.start, end: group.end, text: mapped });
  });
  return splices;
}
