/** Names a document. */
import { maxTitleLength } from '#shared/api/library.ts';
import { headingLevels } from '../commands.ts';
import { readGroup } from '../matches.ts';
import { scanLatex } from '../scan.ts';
import { readableTitle } from './readable-title.ts';

/** The text's `\title`, or its first heading; null without either. */
export function nameDocument(latex: string): string | null {
  const tokens = scanLatex(latex);
  const isHigh = (name: string) => (headingLevels.get(name) ?? 9) <= 1;
  for (const isName of [(name: string) => name === 'title', isHigh])
    for (const [index, token] of tokens.entries()) {
      if (token.kind !== 'command' || !isName(token.name)) continue;
      const group = readGroup(tokens, index + 1);
      const title = group ? clipTitle(readableTitle(latex.slice(group.start, group.end))) : '';
      if (title !== '') return title;
    }
  return null;
}

/** Removes control characters and limits the length in UTF-16 units, without splitting a character. */
export function clipTitle(title: string, limit = maxTitleLength): string {
  const plain = title.replace(/\p{Cc}+/gu, ' ').trim();
  return plain.length <= limit
    ? plain
    : plain
        .slice(0, limit)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trim();
}
