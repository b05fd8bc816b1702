import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { chooseFrom } from '../../test-support/matrix.ts';
import { templates } from './index.ts';

let home: string;
let typesetter: Typesetter;
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-templates-'));
  chmodSync(home, 0o755);
  typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 1 });
});
afterAll(async () => {
  await typesetter?.close();
  rmSync(home, { recursive: true, force: true });
});

// a plain run compiles others with a user's own macros (../assemble/personal-preamble.test.ts)
const tried = chooseFrom(import.meta.filename, templates, 2);
test.each(tried.map((template) => [template.id, template] as const))(
  '%s compiles without an error or a warning',
  async (id, { latex }) => {
    const result = await typesetter.compile({ latex, owner: 'a', cpuMs: 50_000 });
    expect(result).toMatchObject({ kind: 'compiled', messages: [] });
    const folder = process.env.KEEP_TEMPLATES;
    if (folder && result.kind === 'compiled') writeFileSync(path.join(folder, `${id}.pdf`), result.pdf);
  },
);
