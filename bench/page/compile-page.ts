/** Whether a page's LaTeX compiles: as it was read, after repair, or not at all. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { proveDocument } from '#proving/index.ts';
import type { TranscribedPage } from '#reading/transcriber.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { unavailable } from '../support/measurement.ts';

export type PageProof = 'compiled' | 'repaired' | 'failed';

export async function openCompiler() {
  const workDir = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-page-'));
  const typesetter = await createTypesetter({ workDir, concurrency: 1 });
  if (typesetter.refusal !== null) unavailable(typesetter.refusal);
  return {
    async prove(page: TranscribedPage): Promise<PageProof> {
      const proof = await proveDocument({
        pages: [{ number: 1, page }],
        assets: page.figures.map(({ name, bytes }) => ({ name, bytes })),
        typesetter,
        owner: 'bench',
        signal: new AbortController().signal,
      });
      if (proof.kind !== 'proved') return 'failed';
      const isRepaired = proof.warnings.some(({ code }) => /REPAIRED|VERBATIM|DROPPED/.test(code));
      return isRepaired || (proof.verbatimShare[1] ?? 0) > 0 ? 'repaired' : 'compiled';
    },
    async close(): Promise<void> {
      await typesetter.close();
      await rm(workDir, { recursive: true, force: true });
    },
  };
}
