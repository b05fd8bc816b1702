/** LaTeX files added to the desk. */
import type { Page } from '@playwright/test';
import { editor, expect } from '../test.ts';

const latex = '\\documentclass{article}\\title{Limits}\\begin{document}Fine as it is.\\end{document}';

export const latexFile = { name: 'limits.tex', mimeType: 'application/x-tex', buffer: Buffer.from(latex) };

/** Checks that it is now an open document. */
export async function expectImported(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/documents\/[0-9a-f-]{36}$/);
  await expect(editor(page)).toContainText('Fine as it is.');
}
