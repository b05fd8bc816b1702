/** Adds a user's preamble to a document, without the lines that conflict with what the document loads. */

import { addPersonalPreamble, type PersonalPreamble } from '#latex/assemble/personal-preamble.ts';
import type { Typesetter } from '#typesetting/index.ts';

/** Each round can reveal one more conflicting line; there is seldom more than one. */
const maxRounds = 4;
const compileCpuMs = 15_000;

/**
 * @param latex a document that compiles
 * @returns it with as much of the preamble as compiles. If the typesetter is full, the preamble is added untested: it
 * has compiled by itself.
 */
export async function fitPersonalPreamble(
  latex: string,
  personal: PersonalPreamble,
  {
    typesetter,
    owner,
    signal,
  }: { typesetter: Pick<Typesetter, 'compile'>; owner: string; signal: AbortSignal },
): Promise<string> {
  const own = new Set(latex.split('\n'));
  let fitted = addPersonalPreamble(latex, personal);
  for (let round = 0; fitted !== latex && round < maxRounds; round++) {
    const result = await typesetter.compile({ latex: fitted, owner, signal, cpuMs: compileCpuMs });
    if (result.kind === 'compiled' || result.kind === 'refused' || result.kind === 'cancelled') return fitted;
    const lines = fitted.split('\n');
    const bad = new Set(
      result.messages.flatMap(({ level, line }) =>
        level === 'error' && line !== null && !own.has(lines[line - 1] ?? '') ? [line - 1] : [],
      ),
    );
    if (bad.size === 0) return latex;
    fitted = lines.filter((_, index) => !bad.has(index)).join('\n');
  }
  return latex;
}
