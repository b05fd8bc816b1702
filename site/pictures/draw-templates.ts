/**
 * `npm run templates:draw`: compiles each template and writes the picture of its first page for the library's
 * template chooser. A test fails if a template has changed and its picture has not.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { templates } from '#latex/templates/index.ts';
import { createTypesetter } from '#typesetting/index.ts';

const folder = path.resolve(import.meta.dirname, '../../web/public/templates');
/** Records the text that each picture was made from. */
const recordFile = path.join(folder, 'drawn-from.json');
/** In px: twice the width of a card, for dense screens. */
const width = 480;

/** Template ids with a hash of their text. */
export function listTexts(): Record<string, string> {
  return Object.fromEntries(
    templates.map(({ id, latex }) => [id, createHash('sha256').update(latex).digest('hex')]),
  );
}

export function readRecord(): unknown {
  return JSON.parse(readFileSync(recordFile, 'utf8'));
}

async function drawAll(): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-templates-'));
  chmodSync(home, 0o755);
  const typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 1 });
  try {
    mkdirSync(folder, { recursive: true });
    for (const { id, latex } of templates) {
      const result = await typesetter.compile({ latex, owner: 'templates' });
      if (result.kind !== 'compiled') throw new Error(`The template ${id} does not compile.`);
      const pdf = path.join(home, `${id}.pdf`);
      writeFileSync(pdf, result.pdf);
      const page = execFileSync('pdftoppm', ['-png', '-r', '150', '-l', '1', '-singlefile', pdf], {
        maxBuffer: 50_000_000,
      });
      await sharp(page)
        .resize({ width })
        .webp({ quality: 82 })
        .toFile(path.join(folder, `${id}.webp`));
    }
    writeFileSync(recordFile, `${JSON.stringify(listTexts(), null, 2)}\n`);
  } finally {
    await typesetter.close();
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) await drawAll();
