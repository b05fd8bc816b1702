import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import { templates } from './index.ts';

const { typesetter } = await openTypesetter({ concurrency: 1 });

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
