/** A pass's inputs, and whether a frozen copy has seen the same. */
import { createHash } from 'node:crypto';
import { hashAsset } from '../engines/hash-asset.ts';
import { type AuxFiles, toAuxState } from '../engines/passes.ts';
import { documentName } from '../sandbox/job-folder.ts';
import type { Asset } from '../typesetter.ts';

export interface PassInputs {
  /** The document, as bytes, which the offsets of snapshots count. */
  source: Buffer;
  assets: readonly Asset[];
  aux: AuxFiles;
}

/** Name → hash of each file in a run's folder. The key `''` represents all unusual names. */
export type InputState = ReadonlyMap<string, string>;

/** A file that changes nothing when read counts as missing, as in passes.ts. */
export function toInputState({ source, assets, aux }: PassInputs): InputState {
  const state = new Map<string, string>();
  const odd: string[] = [];
  const add = (name: string, hash: string) => {
    if (/^[\w./-]{1,99}$/.test(name)) state.set(name, hash);
    else odd.push(`${name} ${hash}`);
  };
  for (const [name, hash] of toAuxState(aux)) add(name, hash);
  for (const { name, bytes } of assets) add(name, hashAsset(bytes));
  add(documentName, hash(source));
  // where there are folders, any file has unusual names too: `chapters//one.tex`, `chapters/../notes.tex`
  if (assets.some(({ name }) => name.includes('/')))
    for (const [name, hash] of [...state]) odd.push(`${name} ${hash}`);
  if (odd.length > 0) state.set('', odd.sort().join('\n'));
  return state;
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

/** How many bytes two texts have in common at their start. */
export function commonStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let low = 0;
  // whole blocks by memcmp, then byte by byte
  for (let block = 65_536; block >= 64; block >>= 2)
    while (low + block <= most && a.compare(b, low, low + block, low, low + block) === 0) low += block;
  while (low < most && a[low] === b[low]) low++;
  return low;
}

/** How many bytes two texts have in common at their end, after `start`. */
export function commonEnd(a: Buffer, b: Buffer, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  for (let block = 65_536; block >= 64; block >>= 2)
    while (
      count + block <= most &&
      a.compare(b, b.length - count - block, b.length - count, a.length - count - block, a.length - count) ===
        0
    )
      count += block;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

const newline = 10;

/** Offset of the first byte of the line that contains byte `at`. */
export function lineStart(text: Buffer, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf(newline, at - 1) + 1;
}

/** Offset after the line that contains byte `at`. */
export function lineEnd(text: Buffer, at: number): number {
  const end = text.indexOf(newline, at);
  return end < 0 ? text.length : end + 1;
}

/** Offset of the line with `\begin{document}`; null if no line begins with it. */
export function findBody(source: Buffer): number | null {
  const match = /^[ \t]*\\begin[ \t]*\{document\}/m.exec(source.toString('latin1', 0, 400_000));
  return match ? match.index : null;
}
