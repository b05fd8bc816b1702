/**
 * Finds the mode (text, mathematics, raw) of every token. Tolerant: it follows broken LaTeX as well as possible and
 * never fails. What to repair is decided in proving.
 */
import {
  alignmentEnvironments,
  commandArguments,
  displayEnvironments,
  environmentArguments,
  innerMathEnvironments,
  type Mode,
  rawEnvironments,
} from './commands.ts';
import { closerOf } from './matches.ts';
import { scanLatex, type Token } from './scan.ts';

interface Spot {
  mode: Mode;
  /** Depth of groups, formulas and environments around the token; an opener is outside itself. */
  depth: number;
  /** Innermost environment, or null. */
  environment: string | null;
}

interface Frame {
  kind: 'group' | 'optional' | 'formula' | 'environment';
  closer: string;
  mode: Mode;
  environment: string | null;
  /** Modes of the arguments still to come after this one. */
  rest: Mode[];
}

export interface Annotated {
  tokens: Token[];
  spots: Spot[];
}

/** The mode of an environment's content. */
export function environmentMode(name: string, around: Mode): Mode {
  if (displayEnvironments.has(name) || innerMathEnvironments.has(name)) return 'math';
  if (rawEnvironments.has(name)) return 'raw';
  return around;
}

/** Whether `&` and `\\` separate cells and rows in it; null: outside every environment. */
export function isAlignment(environment: string | null): boolean {
  return environment !== null && alignmentEnvironments.has(environment);
}

/** Number of frames searched for a closer's opener. Without a limit, a hostile text would take quadratic time. */
const deepestSearch = 200;

/** Tokens of a text, each with its spot. */
export function annotate(text: string): Annotated {
  const tokens = scanLatex(text);
  const spots: Spot[] = [];
  const stack: Frame[] = [];
  let pending: Mode[] = [];
  let canTakeOptional = false;

  const top = () => stack[stack.length - 1];
  const mode = (): Mode => top()?.mode ?? 'text';
  const lowest = () => Math.max(0, stack.length - deepestSearch);
  const closeFormula = (closer: string): boolean => {
    for (let i = stack.length - 1; i >= lowest(); i--) {
      if (stack[i]!.kind === 'formula' && stack[i]!.closer === closer) {
        stack.length = i;
        return true;
      }
      if (stack[i]!.kind === 'environment') return false;
    }
    return false;
  };
  const push = (kind: Frame['kind'], closer: string, frameMode: Mode, environment?: string) =>
    stack.push({
      kind,
      closer,
      mode: frameMode,
      environment: environment ?? top()?.environment ?? null,
      rest: pending,
    });

  for (const [index, token] of tokens.entries()) {
    const spot = { mode: mode(), depth: stack.length, environment: top()?.environment ?? null };
    spots.push(spot);
    const keepsPending = token.kind === 'space' || token.kind === 'comment';
    switch (token.kind) {
      case 'open':
        {
          const argument = pending.shift() ?? mode();
          push('group', '}', argument);
          pending = [];
        }
        canTakeOptional = false;
        break;
      case 'close':
        for (let i = stack.length - 1; i >= lowest() && stack[i]!.kind !== 'environment'; i--) {
          if (stack[i]!.kind === 'group') {
            pending = stack[i]!.rest;
            stack.length = i;
            break;
          }
        }
        spot.depth = stack.length;
        spot.mode = mode();
        continue;
      case 'bracket-open':
        if (canTakeOptional && closerOf(tokens, index) >= 0) {
          push('optional', ']', 'raw');
          pending = [];
          continue;
        }
        break;
      case 'bracket-close':
        if (top()?.kind === 'optional') {
          pending = stack.pop()!.rest;
          canTakeOptional = true;
          continue;
        }
        break;
      case 'dollar':
      case 'double-dollar': {
        const closer = token.kind === 'dollar' ? '$' : '$$';
        if (top()?.kind === 'formula' && mode() === 'math') closeFormula(top()!.closer);
        else if (mode() === 'math' && closeFormula(closer)) break;
        else push('formula', closer, 'math');
        break;
      }
      case 'begin':
        push('environment', token.name, environmentMode(token.name, mode()), token.name);
        pending = [...environmentArguments(token.name)];
        canTakeOptional = true;
        continue;
      case 'end':
        for (let i = stack.length - 1; i >= lowest(); i--) {
          if (stack[i]!.kind === 'environment' && stack[i]!.closer === token.name) {
            stack.length = i;
            break;
          }
        }
        spot.depth = stack.length;
        break;
      case 'command':
        if (token.name === '(' || token.name === '[') push('formula', token.name === '(' ? ')' : ']', 'math');
        else if (token.name === ')' || token.name === ']') closeFormula(token.name);
        else {
          pending = [...commandArguments(token.name)];
          canTakeOptional = pending.length > 0 || optionTakers.has(token.name);
          continue;
        }
        break;
    }
    if (!keepsPending && token.kind !== 'open') {
      pending = [];
      canTakeOptional = false;
    }
  }
  return { tokens, spots };
}

const optionTakers = new Set(['usepackage', 'draw', 'node', 'fill', 'path', 'includegraphics', '\\']);
