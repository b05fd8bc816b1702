/**
 * Small changes to the text itself, for what no file of our TeX tree can repair. Each keeps every character at
 * its place, so that lines, SyncTeX and messages are those of the original document.
 */
import { verbatimEnvironments } from '#latex/source/commands.ts';
import { type CommandUse, listCommands, listPackages, scanPreamble } from '#latex/source/read-commands.ts';
import { applySplices } from '#latex/source/splice.ts';
import type { Engine } from '../typesetter.ts';

/** XeTeX does not know the unit px. In pdfTeX it is 1bp by default, and that name has the same length. */
const pixels = /(?<=[{[=\s-](?:\d+\.?\d*|\.\d+) ?)px(?= *[,}\]])/g;
/** Drivers of other engines among the class options: the format itself refuses them. */
const foreignDriver = /(?<=^|[,\s])(?:pdftex|xetex|dvips|dvipdfmx?|luatex)(?=\s*(?:,|$))/g;
/** Names no longer than those they replace; LuaTeX's driver is found without one. */
const ownDriver = { xelatex: 'xetex', lualatex: '' };
/** The encoding a document declares. Every text arrives here as UTF-8, whatever its file once was. */
const oldEncoding =
  /(?<=^|[,\s])(?:latin(?:[1-5]|9|10)|ansinew|applemac|macce|cp(?:437de|437|850|852|858|865|125[0257])|decmulti|next|ascii)(?=\s*(?:,|$))/g;
const border = /\\(begin|end)\s*\{([^{}]*)\}/g;
const inlineVerbatim = /\\(?:verb|lstinline|mintinline|mint|path|url|texttt)\b/;

export function tolerate(latex: string, engine: Engine): string {
  if (engine === 'pdflatex') return asUtf8(latex);
  const driven = changeOptions(
    latex,
    listCommands(scanPreamble(latex), /^documentclass$/).slice(0, 1),
    (options) => options.replace(foreignDriver, (name) => ownDriver[engine].padEnd(name.length)),
  );
  if (engine === 'lualatex') return asUtf8(driven);
  if (driven.search(pixels) < 0) return driven;
  let isCode = false;
  return driven
    .split('\n')
    .map((line) => {
      const found = [...line.matchAll(border)].find(([, , name]) => verbatimEnvironments.has(name!));
      if (found) isCode = found[1] === 'begin';
      return isCode || inlineVerbatim.test(line) ? line : line.replace(pixels, 'bp');
    })
    .join('\n');
}

/** XeLaTeX has its own inputenc, which ignores the encoding (typesetting/texmf/xelatex). */
function asUtf8(latex: string): string {
  const uses = listPackages(latex, scanPreamble(latex)).filter(({ names }) => names.includes('inputenc'));
  return changeOptions(latex, uses, (options) =>
    options.replace(oldEncoding, (name) => 'utf8'.padEnd(name.length)),
  );
}

function changeOptions(
  latex: string,
  uses: readonly CommandUse[],
  change: (options: string) => string,
): string {
  const changes = uses.flatMap(({ options }) =>
    options ? [{ ...options, text: change(latex.slice(options.start, options.end)) }] : [],
  );
  return applySplices(latex, changes).text;
}
