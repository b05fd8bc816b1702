/**
 * Most test conversions result in one of a few texts: each is compiled for real once per process, however often
 * it is proved.
 */
import { createHash } from 'node:crypto';
import type { CompileJob, CompileResult, Typesetter } from '#typesetting/index.ts';

const compiled = new Map<string, Extract<CompileResult, { kind: 'compiled' }>>();

export function compileOnce(typesetter: Typesetter): Typesetter {
  return {
    get refusal() {
      return typesetter.refusal;
    },
    async compile(job) {
      const key = nameWork(job);
      const known = compiled.get(key);
      if (known) return known;
      const result = await typesetter.compile(job);
      if (result.kind === 'compiled') compiled.set(key, result);
      return result;
    },
    close: () => typesetter.close(),
  };
}

/** A key of everything that determines the PDF. */
function nameWork({ latex, engine, assets = [] }: CompileJob): string {
  const files = assets.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
  return JSON.stringify([engine, latex, files]);
}
