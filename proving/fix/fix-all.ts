/** "Fix all": fixes the first error, then the next first one, until no error or no known fix is left. */
import type { LogFix } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';
import { type Trial, tryFixes } from './try-fixes.ts';

export interface FixedAll {
  /** Each applies to the text that the previous fix produced. */
  steps: LogFix[];
  latex: string;
  /** The last compile's result. */
  result: CompileResult;
}

/** Fixes per run; a document with more errors needs editing by hand in between. */
const maxSteps = 20;

export async function fixAll(
  latex: string,
  before: CompileResult,
  compile: Trial['compile'],
): Promise<FixedAll> {
  const seen = new Set([latex]);
  const fixed: FixedAll = { steps: [], latex, result: before };
  while (fixed.result.kind === 'failed' && fixed.steps.length < maxSteps) {
    const tried = await tryFixes(fixed.latex, fixed.result, { compile, seen });
    if (!tried) break;
    seen.add(tried.latex);
    fixed.steps.push(tried.fix);
    fixed.latex = tried.latex;
    fixed.result = tried.result;
  }
  return fixed;
}
