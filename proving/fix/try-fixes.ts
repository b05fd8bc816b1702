/**
 * Tries fixes by rule before they are offered: each candidate is compiled and counts as a fix only if the first
 * error is fixed and no new one appears in its place or before it. Only the candidate's own edit changes the
 * text.
 */
import { applyFix } from '#latex/log/apply-fix.ts';
import { describePlace, listFixes } from '#latex/log/log.ts';
import type { LogFix, LogMessage } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';

export interface TriedFix {
  fix: LogFix;
  /** The message that it fixes. */
  of: LogMessage;
  latex: string;
  /** The compile with the fix applied. */
  result: CompileResult;
}

export interface Trial {
  /** Compiles a candidate; null when no more may be tried: the limit is reached, or nobody is waiting any more. */
  compile(latex: string): Promise<CompileResult | null>;
  /** The error to fix. Default: the first, or without errors the first warning that has a fix. */
  target?: LogMessage;
  /** Earlier texts, which no fix may lead back to. */
  seen?: ReadonlySet<string>;
}

/** Most candidates compiled for one message. */
export const maxCandidates = 16;

/** Returns the first fix after which the text compiles, else the one leaving the fewest errors; null if none works. */
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

/** Judges a candidate: a fix leaves no error, or fixes the first one and lets TeX get further. */
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
  // an error behind others cannot be judged until those are fixed
  if (target !== errorsOf(before)[0]) return null;
  if (!first || countErrors(after) >= countErrors(before)) return null;
  const [was, is] = [describePlace(target), describePlace(first)];
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
