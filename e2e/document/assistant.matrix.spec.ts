/** Other forms of changes by the assistant: whole, during other typing, of a selection, after returning. */

import { type ModelProduct, startModelProduct } from '../support/product/with-model.ts';
import { ask, block, bothSums, card, inSource, latex, openDocument } from '../support/screens/assistant.ts';
import { editor, expect, listAxeViolations, test } from '../support/test.ts';

test.describe('with a model', () => {
  let product: ModelProduct;
  test.beforeAll(async () => {
    product = await startModelProduct();
  });
  test.afterAll(() => product?.close());

  test('accepting everything is one undo step; the keyboard alone is enough', async ({ browser }) => {
    product.script(() => ({ content: bothSums }));
    const { page, saved, end } = await openDocument(browser, product.address);
    await ask(page, 'Correct the sums');
    await expect(inSource(page)).toHaveCount(2);
    await editor(page).focus();
    await page.keyboard.press('F7');
    await page.keyboard.press('F7');
    await page.keyboard.press('Control+Alt+Enter');
    await expect(page.getByText('All 2 changes accepted.')).toBeVisible();
    const changed = latex.replace('1+1=3', '1+1=2').replace('2+2=5', '2+2=4');
    await expect.poll(saved).toBe(changed);
    await page.keyboard.press('Control+z');
    await expect.poll(saved).toBe(latex);
    await end();
  });

  test('a proposal survives typing elsewhere, but not typing inside it', async ({ browser }) => {
    product.script(() => ({ content: bothSums }));
    const { page, saved, end } = await openDocument(browser, product.address);
    await ask(page, 'Correct the sums');
    await expect(inSource(page)).toHaveCount(2);
    await editor(page).getByText('In between stands a line.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' And more.');
    await expect(inSource(page)).toHaveCount(2);
    // exactly the characters that the second part would replace
    await editor(page).locator('del').last().click();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Delete');
    await page.keyboard.type('7');
    await expect(card(page)).toContainText('One part no longer applies');
    await card(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(page.getByText('1 of 2 changes accepted.')).toBeVisible();
    await expect.poll(saved).toContain('$1+1=2$');
    expect(await saved()).toContain('In between stands a line. And more.');
    expect(await saved()).toContain('7');
    await end();
  });

  test('only the selection may change, and the model is told what it is', async ({ browser }) => {
    product.script(() => ({ content: `Done.\n\n${block('2+2=5', '2+2=4')}` }));
    const { page, end } = await openDocument(browser, product.address);
    await editor(page).getByText('The second sum').click({ clickCount: 3 });
    await expect(page.getByText(/Only the selection will be changed/)).toBeVisible();
    await ask(page, 'Correct this');
    await expect(inSource(page)).toHaveCount(1);
    expect(product.requests.at(-1)!.text).toMatch(/Only this may change:\n<selection-\w+>\nThe second sum/);
    await end();
  });

  test('a user who leaves half-way finds the change on coming back', async ({ browser }) => {
    product.script(() => ({ content: bothSums, pieceDelayMs: 60 }));
    const { page, end } = await openDocument(browser, product.address);
    await ask(page, 'Correct the sums');
    await expect(page.getByText('I correct', { exact: false })).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Assistant', exact: true }).click();
    await expect(card(page)).toContainText('2 changes proposed');
    await expect(page.getByText('A change uses 1 of your 4 AI conversations')).toBeVisible();
    await end();
  });

  test('a stopped change costs nothing; what the model writes is treated as text, whatever it is', async ({
    browser,
  }) => {
    const { page, end } = await openDocument(browser, product.address);
    product.script(() => ({
      content: `<img src="/x"> [link](https://example.com) ${'and on '.repeat(60)}`,
      pieceDelayMs: 60,
    }));
    await ask(page, 'Talk');
    await expect(page.getByText('[link](https://example.com)', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Stop the answer' }).click();
    await expect(page.getByText('Stopped. Nothing was charged.')).toBeVisible();
    const conversation = page.getByRole('group', { name: 'Conversation' });
    await expect(conversation.locator('img, a')).toHaveCount(0);
    await expect(page.getByText('A change uses 1 of your 5 AI conversations')).toBeVisible();
    await page.getByRole('button', { name: 'Clear the conversation' }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(page.getByText('Ask about the document, or ask for a change.')).toBeVisible();
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
    // the page compiles again, and the error is no longer offered for fixing
    await expect(page.getByRole('button', { name: /^Fix this error/ })).toHaveCount(0);
    await end();
  });

  test('a change comes in parts: one is accepted, one rejected, and one undo reverts it [§1 Editing with the assistant]', async ({
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
    // none of it is in the text yet
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

    // the decision is final
    await page.reload();
    await page.getByRole('button', { name: 'Assistant', exact: true }).click();
    await expect(page.getByText('1 of 2 changes accepted.')).toBeVisible();
    await expect(inSource(page)).toHaveCount(0);
    await end();
  });
});
