/**
 * What people know from other editors: the formatting bar, the outline that stays, previews, the sheet
 * of keys.
 */
import { visitor } from '../support/product/accounts.ts';
import { goToLineOf, openOwn, saved } from '../support/screens/document.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

const latex = String.raw`\documentclass{article}
\usepackage{amsmath}
\begin{document}
\section{Heat}
Some words here.
\begin{equation}\label{eq:heat}
  u_t = \Delta   u
\end{equation}
\section{Sound}
See \eqref{eq:heat} and \cite{fourier}.

Last line.
\begin{thebibliography}{9}
\bibitem{fourier} J. Fourier. The Analytic Theory of Heat. 1822.
\end{thebibliography}
\end{document}
`;

test('the formatting bar writes LaTeX, one undo step each; the outline stays visible and up to date; references show their target', async ({
  page,
}) => {
  const { library, id } = await openOwn(page, { latex });
  const savedLatex = async () => (await library.call<{ latex: string }>('GET', `/documents/${id}`)).latex;
  const row = page.getByRole('toolbar', { name: 'Formatting' });
  const tool = (name: string | RegExp) => row.getByRole('button', { name });

  // the word at the cursor, on and off; the button shows it
  await goToLineOf(page, 'Some words here.');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await tool(/^Bold/).click();
  await expect(editor(page)).toContainText('Some words \\textbf{here}.');
  await expect(tool(/^Bold/)).toHaveAttribute('aria-pressed', 'true');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(editor(page)).toContainText('Some words here.');
  await expect(tool(/^Bold/)).toHaveAttribute('aria-pressed', 'false');

  // by keyboard alone: into the bar, to the headings, and back in the source
  const heading = tool('Heading: Text');
  await heading.focus();
  await page.keyboard.press('ArrowRight');
  await expect(tool(/^Bold/)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(heading).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Subsection', exact: true }).click();
  await expect(editor(page)).toContainText('\\subsection{Some words here.}');
  await expect(editor(page)).toBeFocused();
  await expect(tool('Heading: Subsection')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).not.toContainText('\\subsection');

  // a table whose size is chosen with the arrow keys; its package is added too, and undo removes both
  await tool('Table').click();
  await expect(page.getByRole('button', { name: '3 rows, 3 columns' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: '4 rows, 2 columns' })).toBeFocused();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Temperatures');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Day');
  await expect(editor(page)).toContainText('\\caption{Temperatures}');
  await expect(editor(page)).toContainText('Day & Column 2 \\\\');
  await expect.poll(savedLatex).toContain('\\usepackage{booktabs}\n\\begin{document}');
  // on a busy machine typing may pause, and each pause begins another undo step
  for (let step = 0; step < 30 && (await editor(page).textContent())!.includes('tabular'); step++)
    await page.keyboard.press('Control+z');
  await expect(editor(page)).not.toContainText('tabular');
  await expect(editor(page)).not.toContainText('booktabs');

  // citing and referring by name
  await goToLineOf(page, 'Last line.');
  await tool('Reference').click();
  await page.getByRole('combobox', { name: 'Find a label' }).fill('equation');
  await page.keyboard.press('Enter');
  await tool('Citation').click();
  await expect(page.getByRole('option', { name: 'fourier' })).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(editor(page)).toContainText('Last line.\\eqref{eq:heat}\\cite{fourier}');
  await expect(saved(page)).toBeVisible();

  // what is under the pointer: the equation, and the entry
  await page.keyboard.press('Control+Home');
  await editor(page).getByText('eq:heat').nth(1).hover();
  const preview = page.locator('.cm-reference-preview');
  await expect(preview.locator('.katex-display')).toBeVisible();
  await editor(page).getByText('fourier', { exact: true }).first().hover();
  await expect(preview).toContainText('The Analytic Theory of Heat');
  await page.mouse.move(0, 0);

  // the outline stays open next to the source, also after a reload, and follows the cursor
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  await page.getByRole('button', { name: 'Keep open next to the source' }).click();
  const outline = page.getByRole('navigation', { name: 'Outline' });
  const current = outline.locator('[aria-current]');
  await goToLineOf(page, 'Some words here.');
  await expect(current).toHaveText('Heat');
  await goToLineOf(page, 'Last line.');
  await expect(current).toHaveText('Sound');
  await page.reload();
  await outline.getByRole('button', { name: 'Sound' }).click();
  await expect(page.locator('.cm-activeLine')).toContainText('\\section{Sound}');
  await expectGoodLooks(page, { widths: [390, 1366, 1920] });

  // the equation as typeset: what is not edited stays as it was written, its label too
  await goToLineOf(page, 'u_t');
  await page.keyboard.press('Control+Alt+m');
  const formula = page.getByRole('dialog', { name: 'Formula' });
  await expect(formula.locator('math-field')).toBeFocused();
  await page.keyboard.type('+x/2');
  await expect(formula.locator('pre')).toContainText('\\Delta   u+\\frac{x}{2}');
  await expectGoodLooks(page, { widths: [390, 1366] });
  await page.keyboard.press('Control+Enter');
  await expect(formula).toHaveCount(0);
  await expect(editor(page)).toBeFocused();
  await expect
    .poll(savedLatex)
    .toContain('\\begin{equation}\\label{eq:heat}\n  u_t = \\Delta   u+\\frac{x}{2}\n\\end{equation}');
  await page.keyboard.press('Control+z');
  await expect(editor(page)).not.toContainText('\\frac');
  // nothing changed, so nothing is written
  await page.keyboard.press('Control+Alt+m');
  await formula.getByRole('button', { name: 'Apply' }).click();
  await expect(editor(page)).toContainText('u_t = \\Delta   u');

  // the sheet of keys
  await editor(page).focus();
  await page.keyboard.press('F1');
  const sheet = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(sheet).toContainText('Bold');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(editor(page)).toBeFocused();
});
