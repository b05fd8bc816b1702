/**
 * Switches to another engine if it supports what this one does not. The document names its engine in its first
 * lines.
 */
import { type Engine, engineNames } from '#shared/api/engine.ts';
import type { SourceText } from '../../source/source-text.ts';
import { type Complaint, type Fixer, lastCommand, type Proposal } from '../rule.ts';
import { insertAt } from './edits.ts';

const comment = /^[ \t]*%+[ \t]*![ \t]*TEX[ \t]+(?:TS-)?program[ \t]*=[ \t]*([A-Za-z-]+)/im;

function compileWith(engine: Engine, source: SourceText): Proposal {
  const title = `Compile with ${engineNames[engine]}`;
  const found = comment.exec(source.text);
  if (!found) return { title, edits: [insertAt(0, `% !TEX program = ${engine}\n`)] };
  const to = found.index + found[0].length;
  return { title, edits: [{ from: to - found[1]!.length, to, insert: engine }] };
}

export const askForXelatex: Fixer = (_, source) => compileWith('xelatex', source);

const spelledAs: Record<Engine, RegExp> = {
  xelatex: /xe(?:la)?tex/i,
  lualatex: /lua(?:la|hb)?tex/i,
  pdflatex: /pdf(?:la)?tex/i,
};
const engines = Object.keys(spelledAs) as Engine[];

/** The engines that work with a package that refuses this one: those that its message names, or does not name. */
export function enginesFor(message: string): Engine[] {
  const advised = /\buse\b(.*)/i.exec(message)?.[1] ?? '';
  const named = engines.filter((engine) => spelledAs[engine].test(advised));
  if (named.length > 0) return named;
  const isRefusal = /\bcannot\b|\bnot designed for\b/i.test(message);
  return engines.filter((engine) => spelledAs[engine].test(message) !== isRefusal);
}

export const takeAnotherEngine: Fixer = ({ message }, source) =>
  enginesFor(message).map((engine) => compileWith(engine, source));

/** The engine to which this command belongs. */
export function engineOfCommand(name: string): Engine | null {
  if (/^XeTeX[A-Za-z]+$/.test(name)) return 'xelatex';
  if (/^(?:late|new|begin)?lua[a-z]*$|^directlua$|^pdf(?:extension|variable|feedback)$/.test(name))
    return 'lualatex';
  return /^pdf[a-z]+$/.test(name) ? 'pdflatex' : null;
}

/** The command that LaTeX did not know. */
export const unknownCommand = ({ breakPoint, context }: Complaint): string | null =>
  lastCommand(breakPoint) ?? lastCommand(context);

export const takeEngineOfCommand: Fixer = (complaint, source) => {
  const name = unknownCommand(complaint);
  const engine = name && engineOfCommand(name);
  return engine ? compileWith(engine, source) : null;
};
