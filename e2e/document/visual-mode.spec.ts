/** The visual mode: what is typeset, what shows its source, and that the text stays as it was written. */
import { visitor } from '../support/product/accounts.ts';
import { openOwn, saved } from '../support/screens/document.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

const latex = String.raw`\documentclass{article}
\usepackage{amsmath}
\title{On heat}
\author{J. Fourier}
\begin{document}
\maketitle
\section{Heat}\label{sec:heat}
Some \textbf{bold   words} and $x^2$ here.
\begin{equation}
  u_t = \Delta   u
\end{equation}
\begin{enumerate}
  \item First
  \item Second
\end{enumerate}
\begin{tabular}{lr}
  Day & Degrees \\ \hline
  Monday & \textbf{21} \\
\end{tabular}

A formula wider than a phone:
\[ a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + b_1 + b_2 + b_3 + b_4 + b_5 + b_6 = 1 \]
Last line, see Section~\ref{sec:heat}.
\end{document}
`;

test('the text looks as typeset; at the cursor its source shows; nothing else is rewritten', async ({
  page,
}) => {
  const { library, id } = await openOwn(page, { latex });
  const savedLatex = async () => (await library.call<{ latex: string }>('GET', `/documents/${id}`)).latex;
  const mode = page.getByRole('group', { name: 'Show the text as' });
  await mode.getByRole('button', { name: 'Visual' }).click();

  await expect(editor(page).getByRole('button', { name: 'Preamble · 5 lines' })).toBeVisible();
  await expect(editor(page)).toContainText('On heat');
  await expect(editor(page)).toContainText('Some bold   words and');
  await expect(editor(page)).toContainText('2.Second');
  await expect(editor(page).getByRole('img', { name: 'x^2' })).toBeVisible();
  await expect(editor(page).getByRole('cell', { name: '21' })).toHaveCSS('font-family', /Serif/);
  await expect(editor(page)).not.toContainText('\\');
  expect(await listAxeViolations(page)).toEqual([]);
  await expectGoodLooks(page, { widths: [390, 1366, 1920] });

  // a formula wider than the page is scaled down, and grows with the page again
  const wide = editor(page).locator('.cm-v-display', { hasText: 'a1' });
  const size = () =>
    wide.locator('.katex').evaluate((formula) => Number.parseFloat(getComputedStyle(formula).fontSize));
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(size).toBeLessThan(14);
  await page.setViewportSize({ width: 1920, height: 800 });
  await expect.poll(size).toBeGreaterThan(18);

  // a click shows the source of the smallest command
  await editor(page).getByText('bold   words').click();
  await expect(editor(page)).toContainText('Some \\textbf{bold   words} and');
  await expect(editor(page).getByText('Heat', { exact: true })).toBeVisible();

  // down into the formula, typing, out of it on the other side
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  await expect(editor(page)).toContainText('\\begin{equation}');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' + f');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(editor(page)).not.toContainText('\\begin{equation}');
  const edited = latex.replace('\\Delta   u', '\\Delta   u + f');
  await expect.poll(savedLatex).toBe(edited);
  await expect(saved(page)).toBeVisible();

  // a copy is a copy of the source
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(edited);
  await page.keyboard.press('Control+End');

  // a double click opens the visual editor of formulas
  await editor(page).getByRole('img', { name: 'x^2' }).dblclick();
  await expect(page.getByRole('dialog', { name: 'Formula' }).locator('math-field')).toBeFocused();
  await page.keyboard.press('Escape');

  // the preamble opens, and closes when the cursor leaves it
  await editor(page)
    .getByRole('button', { name: /^Preamble/ })
    .click();
  await expect(editor(page)).toContainText('\\usepackage{amsmath}');
  await page.keyboard.press('Control+End');
  await expect(editor(page)).not.toContainText('\\usepackage{amsmath}');

  // remembered; the shortcut leads back to the text as it was written
  await page.reload();
  await expect(editor(page).getByRole('button', { name: /^Preamble/ })).toBeVisible();
  await editor(page).focus();
  await page.keyboard.press('Control+Alt+v');
  await expect(mode.getByRole('button', { name: 'Source' })).toHaveAttribute('aria-pressed', 'true');
  await expect(editor(page)).toContainText('Some \\textbf{bold   words} and $x^2$ here.');
  expect(await savedLatex()).toBe(edited);
});
