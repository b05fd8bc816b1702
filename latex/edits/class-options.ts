/** Edits of `\documentclass`, `\usepackage` and their options. */
import { splitOptions } from '../assemble/preamble.ts';
import { type CommandUse, listPackages, loadsPackage } from '../source/read-commands.ts';
import { applySplices, type Splice } from '../source/splice.ts';
import { readDocument } from './document-parts.ts';
import type { Side } from './exact-edit.ts';

/** Sets a class option and removes those that `isRival` accepts. An empty `option` only removes. */
export function setClassOption(
  latex: string,
  option: string,
  isRival: (option: string) => boolean,
): string | null {
  const { documentClass } = readDocument(latex);
  if (!documentClass) return null;
  return setOptions(latex, documentClass, (options) => [
    ...options.filter((one) => one !== option && !isRival(one)),
    ...(option ? [option] : []),
  ]);
}

/** Rewrites the options of a command such as `\documentclass[…]{…}`. */
export function setOptions(latex: string, use: CommandUse, change: (options: string[]) => string[]): string {
  const old = use.options
    ? splitOptions(latex.slice(use.options.start, use.options.end).replace(/%[^\n]*\n\s*/g, ''))
    : [];
  const next = change(old).join(',');
  let splice: Splice;
  if (use.options) {
    splice = next
      ? { start: use.options.start, end: use.options.end, text: next }
      : { start: use.options.start - 1, end: use.options.end + 1, text: '' };
  } else {
    const at = use.start + 1 + use.name.length;
    splice = { start: at, end: at, text: next ? `[${next}]` : '' };
  }
  return applySplices(latex, [splice]).text;
}

/** Returns the `\usepackage` that loads this package alone. */
export const findPackage = (latex: string, name: string): CommandUse | undefined =>
  listPackages(latex).find(({ names }) => names.length === 1 && names[0] === name);

/** Inserts a line right before `\begin{document}`; null if there is none. */
export function addToPreamble(latex: string, line: string): string | null {
  const { begin } = readDocument(latex);
  if (!begin) return null;
  return `${latex.slice(0, begin.start)}${line}\n${latex.slice(begin.start)}`;
}

/** Inserts a package line after the document class, before anything that may depend on it. */
export function addPackage(latex: string, line: string): string | null {
  const { documentClass } = readDocument(latex);
  if (!documentClass) return null;
  return `${latex.slice(0, documentClass.end)}\n${line}${latex.slice(documentClass.end)}`;
}

/** Keys of geometry that set a side's margin. */
const keysOfSide: Record<Side, readonly string[]> = {
  left: ['left', 'lmargin', 'inner', 'hmargin', 'hscale', 'textwidth', 'width', 'hcentering'],
  right: ['right', 'rmargin', 'outer', 'hmargin', 'hscale', 'textwidth', 'width', 'hcentering'],
  top: ['top', 'tmargin', 'vmargin', 'vscale', 'textheight', 'height', 'vcentering', 'lines'],
  bottom: ['bottom', 'bmargin', 'vmargin', 'vscale', 'textheight', 'height', 'vcentering', 'lines'],
};

/** Sets margins with the geometry package; null if the document has no class to insert it after. */
export function setMargins(latex: string, sides: readonly Side[], length: string): string | null {
  const isAll = sides.length === 4;
  const rivals = new Set(sides.flatMap((side) => keysOfSide[side]));
  const wanted = isAll ? [`margin=${length}`] : sides.map((side) => `${side}=${length}`);
  const change = (options: string[]) => {
    const kept = options.filter((option) => {
      const key = option.split('=')[0]!.trim();
      if (isAll && (key === 'margin' || key === 'scale' || key === 'body')) return false;
      return !rivals.has(key);
    });
    // `margin=…` sets all sides: it must come before the sides that differ from it.
    const base = kept.filter((option) => /^(margin|hmargin|vmargin|scale)\b/.test(option));
    return [...base, ...kept.filter((option) => !base.includes(option)), ...wanted];
  };
  const separate = readDocument(latex).commands.find((use) => use.name === 'geometry' && use.argument);
  let text = latex;
  if (separate?.argument) {
    const { start, end } = separate.argument;
    const next = change(splitOptions(text.slice(start, end))).join(',');
    return text.slice(0, start) + next + text.slice(end);
  }
  const own = findPackage(text, 'geometry');
  if (own) return setOptions(text, own, change);
  if (loadsPackage(text, 'geometry')) return addToPreamble(text, `\\geometry{${wanted.join(',')}}`);
  text = addPackage(text, `\\usepackage[${wanted.join(',')}]{geometry}`) ?? '';
  return text || null;
}
