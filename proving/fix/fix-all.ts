/** One press for all: the first error is fixed, then what is the first after that, until none is left or none is known. */
import type { LogFix } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';
import { type Trial, tryFixes } from './try-fixes.ts';

export interface FixedAll {
  /** Each for the text that the one before it left. */
  steps: LogFix[];
  latex: string;
  /** What the text came to in the end. */
  result: CompileResult;
}

/** A document with more faults than this is mended by hand in between. */
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
