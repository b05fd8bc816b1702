/** The PDFs with sources that come with the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the checks' compiles run. */
export const workDir = path.join(tmpdir(), 'inkproof-text-layer');

export const fixtureFolder = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

export interface SourcedPdf {
  name: string;
  pdf: string;
  source: string;
}

/** Every PDF in `folder` that has its source next to it. */
export function sourcedPdfs(folder = path.join(fixtureFolder, 'pdf')): SourcedPdf[] {
  const names = readdirSync(folder);
  return names
    .filter((name) => name.endsWith('.pdf') && names.includes(name.replace(/pdf$/, 'tex')))
    .map((name) => ({
      name: name.replace(/\.pdf$/, ''),
      pdf: path.join(folder, name),
      source: readFileSync(path.join(folder, name.replace(/pdf$/, 'tex')), 'utf8'),
    }));
}
