// The conversation about a document. Real: browser, server, database, TeX, the AI SDK. Scripted: what the model says.
import { main } from '../support/product/accounts.ts';
import { ask, inSource, latex, openDocument } from '../support/screens/assistant.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

test('without a model: exact changes, and a clear message for what needs one', async ({ browser }) => {
  const { page, saved, end } = await openDocument(browser, main);
  await expect(page.getByText('No AI model is set up here.', { exact: false })).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await ask(page, 'Make it sound more professional');
  await expect(page.getByText(/Without an AI model I can set title/)).toBeVisible();
  await ask(page, 'Replace "first" with "1st"');
  await expect(inSource(page)).toHaveCount(1);
  await editor(page).focus();
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByText('Change accepted.')).toBeVisible();
  await expect.poll(saved).toBe(latex.replace('first', '1st'));
  await end();
});
