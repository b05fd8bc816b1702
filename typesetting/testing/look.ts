/** Everything in a result that a person could notice: its pages as pictures, its messages, its positions. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { StrategyResult } from '../engines/strategy.ts';

export function look(result: StrategyResult) {
  const { kind } = result;
  const messages = 'messages' in result ? result.messages : [];
  const pages = 'pdf' in result && result.pdf ? drawPages(result.pdf) : [];
  if (kind !== 'compiled') return { kind, messages, pages };
  const places = result.synctex ? gunzipSync(result.synctex).toString('latin1') : '';
  return { kind, messages, pages, pageCount: result.pageCount, places };
}

/** One hash per page. */
function drawPages(pdf: Uint8Array): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-drawn-'));
  try {
    writeFileSync(path.join(folder, 'in.pdf'), pdf);
    execFileSync('pdftoppm', ['-r', '60', '-gray', 'in.pdf', 'page'], { cwd: folder });
    return readdirSync(folder)
      .filter((name) => name.endsWith('.pgm'))
      .sort()
      .map((name) =>
        createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex'),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
