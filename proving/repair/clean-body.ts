/**
 * Cleans every body before its first compile: parts that do not belong in a body are moved to the preamble or removed,
 * and what TeX would silently drop (text after a per cent sign, a missing picture) is repaired. A plain body is left
 * unchanged.
 */

import { displayEnvironments } from '#latex/source/commands.ts';
import { dropUnprintable, escapeLatex } from '#latex/source/escape.ts';
import { listCommands } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import { annotate } from '#latex/source/syntax.ts';
import type { PageWork } from '../pages/page-work.ts';
import { extractPreamble, extractTitle, unwrapDocument } from './lift-preamble.ts';
import { programming, removeEndlessMacros, removeProgramming } from './remove-programming.ts';

interface CleanContext {
  /** Names of the document's figures. */
  assets: ReadonlySet<string>;
}

/** Cleans a page in place. */
export function cleanBody(page: PageWork, context: CleanContext): void {
  page.splice(normaliseCharacters(page.body));
  page.splice(unwrapDocument(page));
  page.splice(extractPreamble(page));
  page.splice(extractTitle(page));
  page.splice(removeProgramming(page));
  page.splice(removeEndlessMacros(page));
  // Escaping one sign uncovers the rest of its line, which may contain another.
  while (page.splice(keepPercent(page)));
  page.splice(missingPictures(page, context.assets));
  page.splice(rewriteEnvironments(page));
  for (const key of ['title', 'author', 'date'] as const) {
    const value = page.title?.[key];
    if (page.title && value !== undefined) page.title = { ...page.title, [key]: cleanTitle(value) };
  }
}

/** Normalises to NFC (the fonts have composed letters) and drops characters that no engine accepts. */
function normaliseCharacters(body: string): Splice[] {
  const splices: Splice[] = [];
  for (const match of body.matchAll(/\P{M}\p{M}+/gu)) {
    const composed = match[0].normalize('NFC');
    if (composed !== match[0])
      splices.push({ start: match.index, end: match.index + match[0].length, text: composed });
  }
  if (dropUnprintable(body) !== body) {
    let at = 0;
    for (const character of body) {
      const printable = dropUnprintable(character);
      if (printable !== character) {
        const isCrLf = character === '\r' && body[at + 1] === '\n';
        splices.push({ start: at, end: at + character.length, text: isCrLf ? '' : printable });
      }
      at += character.length;
    }
  }
  return splices;
}

/** `50% of` is a per cent sign, not a comment that hides the rest of the line. */
function keepPercent(page: PageWork): Splice[] {
  const { tokens, spots } = annotate(page.body);
  const splices: Splice[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'comment') return;
    const before = page.body.slice(Math.max(0, token.start - 4), token.start);
    const rest = page.body.slice(token.start + 1, token.end);
    if (spots[index]!.mode === 'raw') return;
    const afterNumber = /\d[ ~]?$|\d\\,$|\d\}?\$[ ]?$/.test(before);
    // A bare `%` after a digit at a line's end hides only the line break; after `{0.5` that is intended.
    const hides = rest.trim() !== '' || spots[index]!.mode === 'text';
    if (afterNumber && hides) splices.push({ start: token.start, end: token.start + 1, text: '\\%' });
  });
  return splices;
}

const pictureExtensions = ['', '.png', '.jpg', '.jpeg', '.pdf'];

function missingPictures(page: PageWork, assets: ReadonlySet<string>): Splice[] {
  const { body } = page;
  const tokens = scanLatex(body);
  const splices: Splice[] = [];
  for (const { start, end, argument } of listCommands(tokens, /^includegraphics\*?$/)) {
    if (!argument) continue;
    const name = body.slice(argument.start, argument.end).trim();
    const plain = name.replace(/^.*\//, '');
    if (pictureExtensions.some((extension) => assets.has(plain + extension))) {
      if (plain !== name) splices.push({ start: argument.start, end: argument.end, text: plain });
      continue;
    }
    page.warn('PICTURE_MISSING', `The picture "${plain.slice(0, 80)}" is missing; its place is marked.`);
    splices.push({ start, end, text: `\\fbox{\\texttt{${escapeLatex(plain)}}}` });
  }
  return splices;
}

/** Rewrites or removes environments that need a shell or a special class. */
function rewriteEnvironments(page: PageWork): Splice[] {
  const splices: Splice[] = [];
  for (const token of scanLatex(page.body)) {
    if (token.kind === 'verbatim' && token.name === 'minted') {
      const whole = page.body.slice(token.start, token.end);
      const head = /^\\begin\s*\{minted\}(?:\[[^\]]*\])?(?:\{[^}]*\})?/.exec(whole)![0];
      const tail = '\\end{minted}';
      splices.push({ start: token.start, end: token.start + head.length, text: '\\begin{lstlisting}' });
      splices.push({ start: token.end - tail.length, end: token.end, text: '\\end{lstlisting}' });
    }
    if (
      (token.kind === 'begin' || token.kind === 'end') &&
      /^(filecontents\*?|frame|multiplechoice)$/.test(token.name)
    ) {
      splices.push({ start: token.start, end: token.end, text: '' });
    }
  }
  return splices;
}

/** Cleans a title for `\title{…}`: paragraphs become lines; with unbalanced braces or programming, all plain text. */
function cleanTitle(title: string): string {
  const plain = dropUnprintable(title)
    .normalize('NFC')
    .replace(/\s*\n\s*\n\s*/g, '\\\\ ')
    .trim();
  let depth = 0;
  let isSound = true;
  let dollars = 0;
  for (const token of scanLatex(plain)) {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close' && --depth < 0) isSound = false;
    if (token.kind === 'dollar') dollars++;
    if (/^(hash|ampersand|comment|begin|end|double-dollar)$/.test(token.kind)) isSound = false;
    if ((token.kind === 'superscript' || token.kind === 'subscript') && dollars % 2 === 0) isSound = false;
    if (token.kind === 'command' && (programming.has(token.name) || displayEnvironments.has(token.name)))
      isSound = false;
  }
  return isSound && depth === 0 && dollars % 2 === 0
    ? plain
    : escapeLatex(plain).replace(/\\textbackslash\{\}\\textbackslash\{\}/g, '\\\\');
}
