/**
 * Splits one file with the entries of several indexes, as written by imakeidx's splitindex and splitidx, into a
 * file for each, like the program splitindex. Its lines begin `\indexentry[NAME]{`.
 */
import { isPlainName } from '../helper.ts';

const maxParts = 20;

export function splitEntries(file: string, bytes: Buffer): [name: string, bytes: Buffer][] {
  const text = bytes.toString('utf8');
  if (!text.startsWith('\\indexentry[')) return [[file, bytes]];
  const base = file.replace(/\.[^.]*$/, '');
  const parts = Map.groupBy(text.split('\n'), (line) => /^\\indexentry\[([^\]]*)\]/.exec(line)?.[1] ?? '');
  return [...parts]
    .slice(0, maxParts)
    .map(([name, lines]): [string, Buffer] => [
      `${base}-${name}.idx`,
      Buffer.from(
        `${lines.map((line) => line.replace(/^\\indexentry\[[^\]]*\]/, '\\indexentry')).join('\n')}\n`,
      ),
    ])
    .filter(([name]) => name !== `${base}-.idx` && isPlainName(name));
}
