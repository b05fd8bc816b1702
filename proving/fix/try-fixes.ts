/**
 * Fixes by rule, tried before anybody sees them: each candidate is compiled, and one is a fix only when the first error
 * is gone and no other came in its place or before it. What is changed is the candidate's own edit and nothing else.
 */
import { applyFix } from '#latex/log/apply-fix.ts';
import { listFixes, toldPlace } from '#latex/log/log.ts';
import type { LogFix, LogMessage } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';

export interface TriedFix {
  fix: LogFix;
  /** The message that it is the fix of. */
  of: LogMessage;
  latex: string;
  /** What the text came to with it. */
  result: CompileResult;
}

export interface Trial {
  /** Compiles a candidate; null when no more may be tried: the work is bounded, or nobody waits for it any more. */
  compile(latex: string): Promise<CompileResult | null>;
  /** The error that is to go. Default: the first, or where there is none the first warning that has a fix. */
  target?: LogMessage;
  /** Texts that were there before: a fix must not lead back to one. */
  seen?: ReadonlySet<string>;
}

/** Candidates of one message that are compiled. */
export const maxCandidates = 16;

/** The first fix after which the text compiles, else the one that leaves the fewest errors; null when none held. */
export async function tryFixes(latex: string, before: CompileResult, trial: Trial): Promise<TriedFix | null> {
  const target = trial.target
    ? { message: trial.target, candidates: listFixes(trial.target, latex) }
    : findTarget(latex, before);
  if (!target) return null;
  let best: TriedFix | null = null;
  for (const fix of target.candidates.slice(0, maxCandidates)) {
    const changed = applyFix(latex, fix);
    if (changed === null || changed === latex || trial.seen?.has(changed)) continue;
    const result = await trial.compile(changed);
    if (result === null || result.kind === 'cancelled' || result.kind === 'refused') break;
    const held = judge(before, result, target.message, fix);
    if (held === 'healed') return { fix, of: target.message, latex: changed, result };
    if (held === 'better' && (!best || countErrors(result) < countErrors(best.result)))
      best = { fix, of: target.message, latex: changed, result };
  }
  return best;
}

const messagesOf = (result: CompileResult) => ('messages' in result ? result.messages : []);
const errorsOf = (result: CompileResult) => messagesOf(result).filter(({ level }) => level === 'error');
const countErrors = (result: CompileResult) => errorsOf(result).length;

function findTarget(
  latex: string,
  result: CompileResult,
): { message: LogMessage; candidates: LogFix[] } | null {
  const [error] = errorsOf(result);
  if (error) return { message: error, candidates: listFixes(error, latex) };
  for (const message of messagesOf(result)) {
    const candidates = listFixes(message, latex);
    if (candidates.length > 0) return { message, candidates };
  }
  return null;
}

/** What a candidate came to: no error is left, the first is gone and TeX got further, or it is no fix. */
function judge(
  before: CompileResult,
  after: CompileResult,
  target: LogMessage,
  fix: LogFix,
): 'healed' | 'better' | null {
  if (target.level !== 'error')
    return after.kind === 'compiled' && !after.messages.some(({ message }) => message === target.message)
      ? 'healed'
      : null;
  if (after.kind === 'compiled') return 'healed';
  if (after.kind !== 'failed') return null;
  const [first] = errorsOf(after);
  // of an error behind others nothing can be told before they are gone
  if (target !== errorsOf(before)[0]) return null;
  if (!first || countErrors(after) >= countErrors(before)) return null;
  const [was, is] = [toldPlace(target), toldPlace(first)];
  if (was.line === null || is.line === null || first.file !== target.file) return null;
  const further = is.line - shiftBefore(fix, is.line) - was.line;
  return further > 0 || (further === 0 && is.rest < was.rest) ? 'better' : null;
}

/** Lines that an edit adds before a line of the changed text. */
function shiftBefore({ edits }: LogFix, line: number): number {
  let shift = 0;
  for (const { from, to, insert } of edits)
    if (from.line + shift < line) shift += insert.split('\n').length - 1 - (to.line - from.line);
  return shift;
}
