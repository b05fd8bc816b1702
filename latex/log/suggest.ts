/** The suggestions that need looking up: which package has it, what was meant, what to use instead. */

import { theoremEnvironments } from '../source/commands.ts';
import { findCommandPackage, findEnvironmentPackage } from '../source/package-table.ts';
import { nearestCommand, nearestEnvironment } from './names.ts';

/** One message with what TeX showed around it. */
export interface Complaint {
  message: string;
  /** What TeX had read when it stopped: the culprit is usually its last token. */
  breakPoint: string;
  /** The part of the source line that TeX had read. */
  before: string;
  /** The source line around the error. */
  context: string;
  /** The text TeX was swallowing when it noticed ("Runaway argument?"). */
  runaway: string;
}

export interface Advice {
  explanation?: string;
  suggestion?: string;
}

/** The command that a text ends with, without its backslash. */
export const lastCommand = (text: string): string | null =>
  /\\([A-Za-z@]+)\*?[\s{[(]*$/.exec(text)?.[1] ?? null;

export function adviseUndefined({ breakPoint, context }: Complaint): Advice {
  const name = lastCommand(breakPoint) ?? lastCommand(context);
  if (!name) return { explanation: 'A command is used that LaTeX does not know.' };
  const explanation = `LaTeX does not know the command \\${name}.`;
  if (name === 'directlua' || name === 'luaexec')
    return {
      explanation,
      suggestion: 'Lua code runs only in LuaLaTeX, which is not offered here; remove it.',
    };
  const owner = findCommandPackage(name);
  if (owner)
    return { explanation, suggestion: `Add \\usepackage{${owner}} to the preamble: it defines \\${name}.` };
  const meant = nearestCommand(name);
  if (!meant)
    return {
      explanation,
      suggestion: `Check the spelling of \\${name}, or load the package that defines it.`,
    };
  const meantOwner = findCommandPackage(meant);
  const from = meantOwner ? ` (from the package ${meantOwner})` : '';
  return { explanation, suggestion: `Did you mean \\${meant}${from}?` };
}

export function adviseUnknownEnvironment(name: string): Advice {
  const explanation = `LaTeX does not know the environment ${name}.`;
  const owner = findEnvironmentPackage(name);
  if (owner)
    return { explanation, suggestion: `Add \\usepackage{${owner}} to the preamble: it defines ${name}.` };
  if (theoremEnvironments.has(name.toLowerCase()))
    return {
      explanation,
      suggestion: `Define it in the preamble: \\newtheorem{${name}}{${name[0]!.toUpperCase()}${name.slice(1)}}.`,
    };
  const meant = nearestEnvironment(name);
  return meant
    ? { explanation, suggestion: `Did you mean ${meant}?` }
    : { explanation, suggestion: 'Check its spelling, or load the package that defines it.' };
}

/** Packages that cannot work here or have a better replacement. */
export const replacements: Record<string, string> = {
  minted: 'Use the package listings instead: \\begin{lstlisting}[language=Python] … \\end{lstlisting}.',
  pythontex: 'Code cannot be run here; paste its output instead.',
  luacode: 'Lua code runs only in LuaLaTeX, which is not offered here; remove it.',
  luatexbase: 'Lua code runs only in LuaLaTeX, which is not offered here; remove it.',
  epsfig: 'Use \\includegraphics of the package graphicx instead.',
  subfigure: 'Use the package subcaption instead.',
  bbm: 'Use \\mathbb of the package amssymb instead.',
  dsfont: 'Use \\mathbb of the package amssymb instead.',
  fontawesome5: 'Icon fonts are not installed; leave the icons out.',
  fontawesome: 'Icon fonts are not installed; leave the icons out.',
  newtxtext: 'Use \\usepackage{tgtermes}, a Times of the same widths.',
  newtxmath: 'Leave it out, or set the text in \\usepackage{mathptmx}.',
  stix2: 'Leave it out; the default fonts have the same symbols.',
  libertine: 'Leave it out, or use \\usepackage{tgpagella}.',
  ctex: 'Chinese fonts are not installed on this server.',
  xeCJK: 'Chinese, Japanese and Korean fonts are not installed on this server.',
};

export function adviseMissingFile(name: string): Advice {
  const style = /^(.*)\.(sty|cls)$/.exec(name);
  if (style) {
    const kind = style[2] === 'sty' ? 'package' : 'document class';
    const replacement = replacements[style[1]!];
    const otherwise =
      style[2] === 'sty'
        ? `Check the spelling, or remove \\usepackage{${style[1]}}.`
        : 'Use article, report or book instead.';
    return {
      explanation: `The ${kind} ${style[1]} is not installed here.`,
      suggestion: replacement ?? otherwise,
    };
  }
  return {
    explanation: `The file ${name} is not part of this document.`,
    suggestion: /\.(?:tex|ltx)$/.test(name)
      ? `Paste the content of ${name} in its place.`
      : 'Check its name, or remove the command that includes it.',
  };
}

export function adviseMissingCharacter(character: string, font: string): Advice {
  const explanation = `The font has no ${character}; it is left out of the PDF.`;
  // an old 8-bit encoding under xelatex: é is there by luck, œ and the rest are lost
  if (/^(?:ec|t1|cork|sf|ts1)[-\w]/i.test(font) || /^(?:ptm|phv|pcr)\w*8/i.test(font))
    return {
      explanation,
      suggestion: 'Remove \\usepackage[T1]{fontenc}: xelatex does not need it, and loses characters with it.',
    };
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character))
    return {
      explanation,
      suggestion: 'Chinese, Japanese and Korean fonts are not installed on this server.',
    };
  if (/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u.test(character))
    return {
      explanation,
      suggestion: 'Add \\usepackage{fontspec}\\setmainfont{DejaVu Sans} to the preamble.',
    };
  return { explanation, suggestion: `Use a LaTeX command for ${character}, or a font that has it.` };
}
