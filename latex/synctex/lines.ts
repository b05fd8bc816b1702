/** Indexes the records of a SyncTeX file by source line. */
import { kinds, type SynctexTable } from './table.ts';

/** Most lines tried, starting from the requested one, so that hostile files are not searched in full. */
const maxTries = 64;

export interface LineIndex {
  /** True if the file with this tag produced any output. */
  has(tag: number): boolean;
  /** Records of one line, in the order of the SyncTeX file. */
  recordsOf(tag: number, line: number): Generator<number>;
  /** Lines with output, nearest first; of two equally near, the later, because TeX records where something ends. */
  byDistance(tags: readonly number[], line: number): Generator<number>;
}

export function indexLines({ count, kind, tag, line }: SynctexTable): LineIndex {
  /** By tag and line: the first record, the others follow in `next`. */
  const heads = new Map<number, Map<number, number>>();
  const next = new Int32Array(count);
  const sorted = new Map<number, Int32Array>();

  let lastTag = -1;
  let ofFile: Map<number, number> | undefined;
  // backwards, so that each chain follows the order of the file
  for (let index = count - 1; index >= 0; index--) {
    if (kind[index] === kinds.verticalBox || kind[index] === kinds.form) continue;
    const recordTag = tag[index]!;
    if (recordTag !== lastTag || !ofFile) {
      lastTag = recordTag;
      ofFile = heads.get(recordTag);
      ofFile ??= new Map<number, number>();
      heads.set(recordTag, ofFile);
    }
    const recordLine = line[index]!;
    next[index] = ofFile.get(recordLine) ?? -1;
    ofFile.set(recordLine, index);
  }

  const linesOf = (fileTag: number): Int32Array => {
    let lines = sorted.get(fileTag);
    if (!lines) {
      lines = Int32Array.from(heads.get(fileTag)?.keys() ?? []).sort();
      sorted.set(fileTag, lines);
    }
    return lines;
  };

  return {
    has: (fileTag) => heads.has(fileTag),
    *recordsOf(fileTag, ofLine) {
      for (let index = heads.get(fileTag)?.get(ofLine) ?? -1; index >= 0; index = next[index]!) yield index;
    },
    *byDistance(tags, sought) {
      const lists = tags.map(linesOf);
      const below = lists.map((lines) => lowerBound(lines, sought) - 1);
      const above = lists.map((lines) => lowerBound(lines, sought));
      for (let tries = 0; tries < maxTries; tries++) {
        let best = -1;
        let bestLine = Number.NaN;
        let isAbove = false;
        for (let at = 0; at < lists.length; at++) {
          const later = lists[at]![above[at]!];
          if (later !== undefined && (best < 0 || later - sought <= Math.abs(bestLine - sought)))
            [best, bestLine, isAbove] = [at, later, true];
          const earlier = lists[at]![below[at]!];
          if (earlier !== undefined && (best < 0 || sought - earlier < Math.abs(bestLine - sought)))
            [best, bestLine, isAbove] = [at, earlier, false];
        }
        if (best < 0) return;
        if (isAbove) above[best]!++;
        else below[best]!--;
        yield bestLine;
      }
    },
  };
}

/** Returns the index of the first number not smaller than `value`. */
function lowerBound(numbers: Int32Array, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
