/** A writer's mistakes: kept as written, corrected, or read as something else. */
import { distance, signsOf } from '../ink/score-page.ts';

export interface FaultScore {
  faults: number;
  kept: number;
  corrected: number;
}

/**
 * @param faults lines of the page with a mistake, and what a corrector would have written
 * @param readings what each line of the page was read as; null: not found
 */
export function scoreFaults(
  truth: readonly string[],
  faults: readonly { line: number; corrected: string }[],
  readings: readonly (string | null)[],
): FaultScore {
  const score: FaultScore = { faults: 0, kept: 0, corrected: 0 };
  for (const { line, corrected } of faults) {
    const written = truth[line];
    if (written === undefined) continue;
    score.faults++;
    const reading = readings[line];
    if (reading == null) continue;
    const signs = signsOf(reading);
    const [asWritten, asCorrected] = [written, corrected].map((text) => distance(signsOf(text), signs));
    if (asWritten! < asCorrected!) score.kept++;
    else if (asCorrected! < asWritten!) score.corrected++;
  }
  return score;
}

/** A line of mathematics alone, apart from a label in front: without any word. */
export function isFormula(latex: string): boolean {
  const plain = latex
    .replace(/\\(?:text|mathrm|operatorname)\{([^{}]*)\}/g, ' $1 ')
    .replace(/\\(?:begin|end)\{[^}]*\}|\\[A-Za-z]+/g, ' ');
  return !/\p{L}{3}/u.test(plain) && /\d|[=+<>^_\\]/.test(latex);
}
