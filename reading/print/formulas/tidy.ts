import { readGroup } from '#latex/source/matches.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { applySplices, type Splice } from '#latex/source/splice.ts';
import { withoutMarks } from '../../text-layer/doubt.ts';
import { functionNames } from '../../text-layer/math/symbols.ts';
import { formulaWords } from './words/find-words.ts';

/**
 * Removes thin spaces, which TeX sets itself: a scan is accurate to only a pixel or so. Wider gaps, as authors put
 * between formulas, are kept.
 */
export function tidyScanned(latex: string): string {
  const tidy = labelArrows(joinScripts(withoutMarks(latex)))
    .replace(/(?:\\[,;:]|\\ )\|(?:\\[,;:]|\\ ) ?/g, '\\mid ')
    .replace(/\\\\|\\[,;!] ?|\\ (?![A-Za-z])/g, (space) => (space === '\\\\' ? space : ' '))
    .replace(/((?:^|[=<>+(,]|\\(?:leq?|geq?|to)\b) *\|) *- */g, '$1{-}')
    .replace(/([{(]) +/g, '$1')
    .replace(/ {2,}/g, ' ');
  return spaceWords(tidy);
}

/** What stands before or behind a word and needs no space between: a wider one, a cell's or a formula's edge. */
const apartBefore = /(?:^|[&{]|\\\\|\\q?quad|\\[,;: ]|\\begin\{[a-z*]+\}|\\\[)\s*$/;
const apartBehind = /^\s*(?:$|[&},.;:_^]|\\\\|\\q?quad|\\[,;: ]|\\end\b|\\\]|\\tag\b)/;

/** No name of a function has such a letter, and TeX sets none in a formula. */
const accented = /[^A-Za-z ]/;

/** Words of a formula as text, with the spaces that a formula would swallow. */
function spaceWords(latex: string): string {
  const named = new Set([...latex.matchAll(/\\operatorname\{(\p{L}+)\}/gu)].map(([, name]) => name!));
  return latex.replace(
    /\\(?:mathrm|operatorname|text)\{((?:\p{L}{2,})(?: \p{L}+)*)\} ?/gu,
    (all, joined: string, at: number) => {
      const text = apart(joined);
      const isText =
        all.startsWith('\\text') || formulaWords.has(text) || text !== joined || accented.test(text);
      // a scan does not always show the thin spaces around the name of a function
      if (named.has(text) && !formulaWords.has(text)) return `\\operatorname{${text}}`;
      if (!isText || functionNames.has(text)) return all;
      const [before, behind] = [latex.slice(0, at), latex.slice(at + all.length)];
      return `\\text{${apartBefore.test(before) ? '' : ' '}${text}${apartBehind.test(behind) ? '' : ' '}}`;
    },
  );
}

/** Shorter ones may be a name: "asin" is not "as in". */
const leastJoined = 6;

/** "forall" is "for all": what stands between words in a scan is sometimes narrower than a space. */
function apart(joined: string): string {
  if (joined.length < leastJoined || formulaWords.has(joined)) return joined;
  for (let at = 2; at <= joined.length - 2; at++) {
    const [first, second] = [joined.slice(0, at), joined.slice(at)];
    if (formulaWords.has(first) && formulaWords.has(second)) return `${first} ${second}`;
  }
  return joined;
}

const arrowName = /^\\(?:to|(?:long)?(right|left)arrow)$/;

/** A label over or under an arrow makes it an extensible one; a scan does not show how much longer it is. */
function labelArrows(latex: string): string {
  const tokens = scanLatex(latex);
  const splices: Splice[] = [];
  for (const [index, { name, start }] of tokens.entries()) {
    if (name !== 'overset' && name !== 'underset') continue;
    const label = readGroup(tokens, index + 1);
    const base = label && readGroup(tokens, label.close + 1);
    const arrow = base && arrowName.exec(latex.slice(base.start, base.end));
    if (!arrow) continue;
    const command = arrow[1] === 'left' ? '\\xleftarrow' : '\\xrightarrow';
    const text = latex.slice(label.start, label.end);
    const labels = name === 'overset' ? `{${text}}` : `[${text}]{}`;
    splices.push({ start, end: tokens[base.close]!.end, text: command + labels });
  }
  return applySplices(latex, splices).text;
}

/** A script behind one of the same kind continues it: TeX accepts only one. */
function joinScripts(latex: string): string {
  const tokens = scanLatex(latex);
  const splices: Splice[] = [];
  for (const [index, { kind }] of tokens.entries()) {
    const own = kind === 'subscript' || kind === 'superscript' ? readGroup(tokens, index + 1) : null;
    if (!own || tokens[own.close + 1]?.kind !== kind) continue;
    const next = readGroup(tokens, own.close + 2);
    if (next) splices.push({ start: own.end, end: next.start, text: ' ' });
  }
  return applySplices(latex, splices).text;
}
