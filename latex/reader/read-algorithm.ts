/** The lines of `algorithmic`, each with its depth. */
import { readGroup } from '../source/matches.ts';
import { scanLatex } from '../source/scan.ts';
import { splitTop } from './environments.ts';
import { readInlines, trimInlines } from './read-inlines.ts';
import type { ReaderState } from './state.ts';
import type { Block, Inline } from './tree.ts';

/** Command → the words before and after its argument, and its change of depth before and after its line. */
const keywords: Record<string, readonly [before: string, after: string, outdent: number, indent: number]> = {
  State: ['', '', 0, 0],
  Statex: ['', '', 0, 0],
  Require: ['Require: ', '', 0, 0],
  Ensure: ['Ensure: ', '', 0, 0],
  Input: ['Input: ', '', 0, 0],
  Output: ['Output: ', '', 0, 0],
  If: ['if ', ' then', 0, 1],
  ElsIf: ['else if ', ' then', 1, 1],
  Else: ['else', '', 1, 1],
  EndIf: ['end if', '', 1, 0],
  For: ['for ', ' do', 0, 1],
  ForAll: ['for all ', ' do', 0, 1],
  EndFor: ['end for', '', 1, 0],
  While: ['while ', ' do', 0, 1],
  EndWhile: ['end while', '', 1, 0],
  Repeat: ['repeat', '', 0, 1],
  Until: ['until ', '', 1, 0],
  Loop: ['loop', '', 0, 1],
  EndLoop: ['end loop', '', 1, 0],
  Function: ['function ', '', 0, 1],
  EndFunction: ['end function', '', 1, 0],
  Procedure: ['procedure ', '', 0, 1],
  EndProcedure: ['end procedure', '', 1, 0],
};

export function readAlgorithm(state: ReaderState, inner: string): Block {
  const tokens = scanLatex(inner);
  const isLine = (name: string) => Object.hasOwn(keywords, name);
  const parts = splitTop(inner, tokens, (token) => token.kind === 'command' && isLine(token.name)).slice(1);
  let depth = 0;
  const lines = parts.map(({ start, end, separator }) => {
    const { name } = tokens[separator]!;
    const [before, after, outdent, indent] = keywords[name]!;
    depth = Math.max(0, depth - outdent);
    const source = inner.slice(start, end);
    const own = scanLatex(source);
    const argument =
      after || name === 'Until' || /^(Function|Procedure)$/.test(name) ? readGroup(own, 0) : null;
    const rest = argument ? source.slice(own[argument.close]!.end) : source;
    const content: Inline[] = [
      keyword(before),
      ...(argument ? readInlines(state, source.slice(argument.start, argument.end)) : []),
      keyword(after),
      ...readInlines(state, calls(rest)),
    ];
    const line = { depth, content: trimInlines(content) };
    depth += indent;
    return line;
  });
  return { kind: 'lines', lines };
}

const keyword = (text: string): Inline =>
  text === ''
    ? { kind: 'text', text: '' }
    : { kind: 'styled', style: 'bold', content: [{ kind: 'text', text }] };

const calls = (source: string) =>
  source
    .replace(/\\Return(?![A-Za-z])/g, '\\textbf{return} ')
    .replace(/\\Comment\s*\{/g, '\\quad\\textit{')
    .replace(/\\Call\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '\\textsc{$1}($2)');
