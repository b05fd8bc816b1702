/** Where the entries come from: the document's own databases, and those that come with TeX. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { literal } from '#latex/source/escape.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { findLine } from '../find-line.ts';
import { type Compiled, isPlainName } from '../helper.ts';

/** Journal names, and the examples of biblatex and others. */
const distribution = '/usr/share/texlive/texmf-dist/bibtex/bib';
/** Most databases of one document that are searched. */
const maxDatabases = 50;
let known: Map<string, string> | undefined;

function listDistribution(): Map<string, string> {
  known ??= new Map(
    readdirSync(distribution, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.bib'))
      .map((entry) => [entry.name, path.join(entry.parentPath, entry.name)]),
  );
  return known;
}

/**
 * The databases with these names, and all others of the document's, because an entry may be looked up in each.
 * `missing`: a warning for each that does not exist.
 */
export function findDatabases(
  names: readonly string[],
  { latex, left, assets }: Pick<Compiled, 'latex' | 'left' | 'assets'>,
): { files: Map<string, Uint8Array>; missing: LogMessage[] } {
  const files = new Map<string, Uint8Array>();
  if (names.length === 0) return { files, missing: [] };
  for (const [name, bytes] of left) if (name.endsWith('.bib') && isPlainName(name)) files.set(name, bytes);
  for (const { name, bytes } of assets) {
    const found = /^(.+)\.bib$/i.exec(name)?.[1];
    if (found) files.set(`${found}.bib`, bytes);
  }
  const missing: LogMessage[] = [];
  for (const name of [...new Set(names)].slice(0, maxDatabases)) {
    if (name === '.bib' || files.has(name)) continue;
    const place = listDistribution().get(name);
    if (place) files.set(name, readFileSync(place));
    else missing.push(missingDatabase(name, latex));
  }
  return { files, missing };
}

function missingDatabase(name: string, latex: string): LogMessage {
  const named = literal(name.replace(/\.bib$/, ''));
  return {
    level: 'warning',
    file: 'main.tex',
    line: findLine(latex, new RegExp(`\\\\(?:bibliography|addbibresource)\\b[^}]{0,500}[{,\\s]${named}\\b`)),
    message: `The bibliography ${name} is not among the document’s files.`,
    explanation: 'What is cited from it prints as a question mark or as its key.',
    suggestion: `Add ${name} to the document’s files.`,
  };
}
