/** Words of the text inside a formula. */
import { escapeText } from '../escape.ts';
import type { Glyph } from '../model.ts';
import type { Item } from './items.ts';
import { functionNames } from './symbols.ts';
import { namedWord, styledText } from './write-glyph.ts';

/** An item on the row with its superscripts and subscripts, right (or left). */
export interface Nucleus {
  item: Item | null;
  sup: Item[];
  sub: Item[];
}

const sizedText = /^[\p{L}\p{M}]$/u;

/** Text inside mathematics: words of a text face, with the spaces between them. */
export function textRun(
  nuclei: Nucleus[],
  from: number,
  size: number,
): { latex: string; last: number } | null {
  const first = nuclei[from]?.item;
  if (!first || !(isTextWord(first) || beginsText(nuclei, from, size))) return null;
  let text = first.text;
  let last = from;
  let hasSpace = false;
  let end = first.end;
  if ((nuclei[from] as Nucleus).sup.length + (nuclei[from] as Nucleus).sub.length === 0) {
    for (let k = from + 1; k < nuclei.length; k++) {
      const { item, sup, sub } = nuclei[k] as Nucleus;
      if (
        !item ||
        item.kind === 'built' ||
        sup.length + sub.length > 0 ||
        item.glyph?.font.name !== first.glyph?.font.name
      )
        break;
      const gap = item.start - end;
      if (gap > 0.7 * size) break;
      const isWord =
        isTextWord(item) ||
        item.kind === 'word' ||
        beginsText(nuclei, k, size) ||
        (/['’/]$/.test(text) && gap < 0.1 * size && /^\p{L}$/u.test(item.text));
      const isMark =
        item.kind === 'glyph' &&
        /^[,.;:!?'’()/-]$/.test(item.text) &&
        item.glyph?.font.family === 'none' &&
        gap < 0.1 * size;
      if (functionNames.has(item.text) || (!isWord && !isMark)) break;
      if (isMark) {
        // the rest of the punctuation belongs to the text only if a word follows: a full stop or comma of mathematics
        // is of another face
        const follower = nuclei[k + 1]?.item;
        const isSameFace = follower?.glyph?.font.name === first.glyph?.font.name;
        if (
          !/^[.,]$/.test(item.text) &&
          (!follower ||
            !(isTextWord(follower) || (isSameFace && /^(?!\p{Script=Greek})\p{L}$/u.test(follower.text))))
        )
          break;
      }
      if (gap > 0.16 * size) {
        text += ' ';
        hasSpace = true;
      }
      text += item.text;
      end = item.end;
      last = k;
    }
  }
  const glyph = first.glyph as Glyph;
  if (!hasSpace && glyph.font.family === 'none' && /^[\p{L}]+$/u.test(text))
    return { latex: namedWord(text, glyph), last };
  return { latex: styledText(escapeText(text), glyph), last };
}

/** A single letter of a text face right before an apostrophe and a word (n'est), a full stop (s.t.), or a spaced word (à toute). */
function beginsText(nuclei: Nucleus[], at: number, size: number): boolean {
  const item = nuclei[at]?.item;
  const glyph = item?.glyph;
  if (item?.kind !== 'glyph' || glyph?.font.family !== 'none' || !/^\p{L}$/u.test(item.text)) return false;
  const next = nuclei[at + 1]?.item;
  if (!next || next.glyph?.font.name !== glyph.font.name || next.start - item.end > 0.5 * size) return false;
  if (/^['’]$/.test(next.text)) return true;
  // m/s: the slash of mathematics is of another face
  if (next.text === '/' && next.start - item.end < 0.05 * size) return true;
  // s.t.: the full stop of mathematics is of another face
  if (next.text === '.' && next.start - item.end < 0.05 * size) return true;
  return isTextWord(next) && next.start - item.end > 0.2 * size && /[\u00c0-\u024f]|^[ay]$/.test(item.text);
}

function isTextWord(item: Item): boolean {
  if (item.kind === 'word') return !functionNames.has(item.text);
  const glyph = item.glyph;
  return (
    item.kind === 'glyph' &&
    glyph !== undefined &&
    glyph.font.family === 'none' &&
    glyph.font.italic &&
    sizedText.test(item.text)
  );
}
