import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes } from '#shared/api/errors.ts';
import { errorDocsFile, renderErrorDocs } from './write-error-docs.ts';

test('docs/errors.md equals the catalogue: npm run errors:write', () => {
  const written = readFileSync(errorDocsFile, 'utf8');
  expect(written).toBe(renderErrorDocs());
  for (const code of errorCodes) expect(written).toContain(`| \`${code}\` |`);
});
