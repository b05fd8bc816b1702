// The conversation about a document. Real: browser, server, database, TeX, the AI SDK. Scripted: what the model says.
import { main } from '../support/product/accounts.ts';
import { type ModelProduct, startModelProduct } from '../support/product/with-model.ts';
import { ask, block, bothSums, card, inSource, latex, openDocument } from '../support/screens/assistant.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

test.describe('with a model', () => {
  let product: ModelProduct;
  test.beforeAll(async () => {
    product = await startModelProduct();
  });
  test.afterAll(() => product?.close());

  test('a change comes in parts: one is taken, one is not, and one step takes it back [§1 Editing with the assistant]', async ({
    browser,
  }) => {
    product.script(() => ({ content: bothSums, thinking: 'Sums, again.', pieceDelayMs: 5 }));
    const { page, saved, end } = await openDocument(browser, product.address);
    await expect(page.getByText('A change uses 1 of your 5 AI conversations')).toBeVisible();
    await ask(page, 'Correct the sums');
    await expect(card(page)).toContainText('2 changes proposed');
    await expect(card(page)).toContainText('Compiles with this change.');
    // the formula of the answer is typeset
    await expect(page.getByRole('group', { name: 'Conversation' }).locator('.katex')).toBeVisible();
    await expect(inSource(page)).toHaveCount(2);
    // nothing of it is in the text yet
    expect(await saved()).toBe(latex);
    expect(await listAxeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Accept change 1 of 2' }).click();
    await expect(card(page)).toContainText('1 of 2 changes left');
    await editor(page).focus();
    await page.keyboard.press('Alt+Backspace');
    await expect(card(page)).toHaveCount(0);
    await expect(page.getByText('1 of 2 changes accepted.')).toBeVisible();
    await expect.poll(saved).toBe(latex.replace('1+1=3', '1+1=2'));
    await expect(page.getByText('A change uses 1 of your 4 AI conversations')).toBeVisible();

    await page.keyboard.press('Control+z');
    await expect.poll(saved).toBe(latex);
    await page.keyboard.press('Control+y');
    await expect.poll(saved).toBe(latex.replace('1+1=3', '1+1=2'));

    // decided once and for all
    await page.reload();
    await page.getByRole('button', { name: 'Assistant', exact: true }).click();
    await expect(page.getByText('1 of 2 changes accepted.')).toBeVisible();
    await expect(inSource(page)).toHaveCount(0);
    await end();
  });

  test('an error is explained in words, and fixed by a change', async ({ browser }) => {
    const broken = latex.replace('Here it ends.', 'Here it \\nonsense ends.');
    const { page, saved, end } = await openDocument(browser, product.address, broken);
    product.script(() => ({ content: 'There is no such command.' }));
    await page.getByRole('button', { name: /^Explain this error/ }).click();
    await expect(page.getByText('There is no such command.')).toBeVisible();
    await expect(card(page)).toHaveCount(0);
    product.script(() => ({ content: `I take it out.\n\n${block('\\nonsense ', '')}` }));
    await page.getByRole('button', { name: /^Fix this error/ }).click();
    await card(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(saved).toBe(latex);
    // the page compiles again, and the error is gone from the offers
    await expect(page.getByRole('button', { name: /^Fix this error/ })).toHaveCount(0);
    await end();
  });
});

test('without a model: exact changes, and plain words for what needs one', async ({ browser }) => {
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
