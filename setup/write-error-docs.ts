/** `npm run errors:write`: writes docs/errors.md from the error catalogue. A test keeps both equal. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { compilationTimeoutTexts, errorCatalogue } from '#shared/api/errors.ts';

export const errorDocsFile = path.resolve(import.meta.dirname, '../docs/errors.md');

/** The page's whole text. */
export function renderErrorDocs(): string {
  const rows = Object.entries(errorCatalogue).map(([code, { status, text, when }]) => {
    const shown =
      code === 'COMPILATION_TIMEOUT'
        ? `source \`user\`: ${compilationTimeoutTexts.user} source \`server\`: ${compilationTimeoutTexts.server}`
        : text === null
          ? '*written by the server*'
          : text || '*(none; the screen where it occurs handles it)*';
    return `| \`${code}\` | ${status} | ${when} | ${shown} |`;
  });
  return `# Errors

Generated from \`shared/api/errors.ts\` by \`npm run errors:write\`; a test keeps the two equal.

Every error of the API is one object:

\`\`\`json
{ "code": "INVALID_INPUT", "error": "A message for people.", "source": "user", "warnings": [] }
\`\`\`

\`source\` says who caused it (\`user\` or \`server\`). \`warnings\`, \`messages\` (from the compile, by line) and \`request_id\` are
included only where there are any. Answers with 429 and 503 carry \`Retry-After\` in seconds. Every answer carries
\`X-Request-Id\`; the log lines of the request have the same id.

| Code | Status | When | Message |
|---|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main) writeFileSync(errorDocsFile, renderErrorDocs());
