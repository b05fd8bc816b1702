/** Section 4, the converter: one conversion, and every request that can be made on its result. */
import { type BrowserContext, expect, type Page, type Request, test } from '@playwright/test';
import { createAccount, main, openBrowser } from '../support/product/accounts.ts';
import { logOut } from '../support/screens/dialog.ts';
import { convert, editor, pdfText, putDown } from '../support/test.ts';

test.describe
  .serial('a result', () => {
    let context: BrowserContext;
    let page: Page;
    /** Every call since the last test began. */
    let calls: Request[] = [];
    const callsTo = (path: string) => calls.filter((call) => call.url().includes(path));
    const box = () => page.getByRole('textbox', { name: 'Ask for a change' });

    /** Puts a session into the browser's storage, or removes it, as another tab would. */
    const putSession = (session: string | null) =>
      page.evaluate((text) => {
        if (text === null) localStorage.removeItem('inkproof-auth');
        else localStorage.setItem('inkproof-auth', text);
        dispatchEvent(new StorageEvent('storage', { key: 'inkproof-auth' }));
      }, session);

    test.beforeAll(async ({ browser }) => {
      context = await openBrowser(browser, await createAccount());
      page = await context.newPage();
      page.on('request', (request) => calls.push(request));
      await page.addInitScript(() => {
        const statuses = new Set<string>();
        const forms: Record<string, string>[] = [];
        Object.assign(window, { statuses, forms });
        // a form with a PDF made in the page cannot be read from outside
        const real = window.fetch;
        window.fetch = (...args) => {
          const body = args[1]?.body;
          if (body instanceof FormData)
            forms.push(
              Object.fromEntries(
                [...body].map(([name, value]) => [name, value instanceof File ? value.name : value]),
              ),
            );
          return real(...args);
        };
        new MutationObserver(() => {
          for (const line of document.querySelectorAll('[role=status]')) statuses.add(line.textContent ?? '');
        }).observe(document, { subtree: true, childList: true, characterData: true });
      });
      await putDown(page, 'pdf/probability-table.pdf');
      await convert(page);
      await expect(pdfText(page)).toContainText('summary of common distributions');
    });
    test.beforeEach(() => {
      calls = [];
    });
    test.afterAll(() => context.close());

    test('§3 Converter: finishing', async () => {
      const statuses = await page.evaluate(() => [
        ...(window as unknown as { statuses: Set<string> }).statuses,
      ]);
      expect(statuses).toContain('Compiling the document');
    });

    test('§4 Change: blank feedback is ignored; §5 Blank feedback does nothing', async () => {
      await box().fill('  \t ');
      await box().press('Enter');
      await page.getByRole('button', { name: 'Send the change request' }).click();
      await expect(pdfText(page)).toContainText('summary of common distributions');
      expect(callsTo('/request-change')).toEqual([]);
    });

    test('§4 Change: no LaTeX is an error', async () => {
      await page.route('**/api/v1/request-change', (route) => route.fulfill({ json: {} }), { times: 1 });
      await box().fill('change the title to Nothing');
      await box().press('Enter');
      await expect(page.getByRole('alert')).toContainText('Unexpected response format.');
      // the LaTeX is as before, so its PDF is shown again
      await expect(pdfText(page)).toContainText('summary of common distributions');
      await expect(box()).toHaveValue('');
    });

    test('§4 Change: PDF and errors go, LaTeX and feedback are sent; §3 Converter: isPdfAssistantLoading, feedback', async () => {
      const answered = Promise.withResolvers<void>();
      await page.route(
        '**/api/v1/request-change',
        async (route) => {
          await answered.promise;
          await route.continue();
        },
        { times: 1 },
      );
      await box().fill('change the title to Chances and dice');
      await box().press('Enter');
      await expect(page.getByRole('status', { name: 'Changing the document' })).toBeVisible();
      await expect(page.locator('.textLayer')).toHaveCount(0);
      await expect(page.getByRole('alert')).toHaveCount(0);
      const [sent] = callsTo('/request-change');
      expect(sent!.postDataJSON()).toMatchObject({
        latex: expect.stringContaining('\\begin{document}'),
        feedback: 'change the title to Chances and dice',
      });
      answered.resolve();
      await expect(pdfText(page)).toContainText('Chances and dice');
    });

    test('§4 Change: new LaTeX is compiled, the credits refreshed; §4 Change: the feedback is cleared; §7 POST /api/v1/compile: the browser sends latex, return_pdf, source', async () => {
      await box().fill('change the title to Second thoughts');
      await box().press('Enter');
      await expect(pdfText(page)).toContainText('Second thoughts');
      await expect(box()).toHaveValue('');
      const [compiled] = callsTo('/api/v1/compile');
      expect(compiled!.postDataJSON()).toMatchObject({
        latex: expect.stringContaining('Second thoughts'),
        return_pdf: true,
        source: 'user',
      });
      expect(callsTo('/rest/v1/user_credits').length).toBeGreaterThan(0);
      await page.getByRole('tab', { name: 'LaTeX' }).click();
      await expect(editor(page)).toContainText('Second thoughts');
      await page.getByRole('tab', { name: 'PDF' }).click();
    });

    test('§7 POST /api/v1/watermark: document.pdf, watermark_text, size_scale', async () => {
      await page.getByRole('button', { name: 'Watermark', exact: true }).click();
      await page.getByLabel('Watermark text').fill('DRAFT');
      await page.getByRole('button', { name: 'Add to every page' }).click();
      await expect(page.getByRole('button', { name: 'Undo watermark' })).toBeVisible();
      expect(await page.evaluate(() => (window as unknown as { forms: unknown[] }).forms)).toEqual([
        { watermark_text: 'DRAFT', size_scale: '1', file: 'document.pdf' },
      ]);
    });

    test('§6 Without a session: a warning, and no token', async () => {
      const session = await page.evaluate(() => localStorage.getItem('inkproof-auth')!);
      await putSession(null);
      const warned = page.waitForEvent('console', (message) =>
        message.text().includes('/watermark is called without an access token'),
      );
      const sent = page.waitForRequest('**/api/v1/watermark');
      await page.getByRole('button', { name: 'Watermark', exact: true }).click();
      await page.getByLabel('Watermark text').fill('COPY');
      await page.getByRole('button', { name: /^(Add to every page|Replace the watermark)$/ }).click();
      expect((await warned).type()).toBe('warning');
      expect((await sent).headers().authorization).toBeUndefined();
      await putSession(session);
    });

    test('§4 Logout: the pending action and the desk are cleared', async () => {
      const { conversionId } = await page.evaluate(() =>
        JSON.parse(sessionStorage.getItem('inkproof.conversion')!),
      );
      const forgotten = page.waitForResponse(
        (response) => response.request().method() === 'DELETE' && response.url().endsWith(conversionId),
      );
      await logOut(page);
      await expect(page).toHaveURL(`${main.url}/`);
      expect((await forgotten).status()).toBe(204);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Convert' }).click();
      await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
      const left = await page.evaluate(() => Object.keys(sessionStorage));
      expect(left.filter((key) => key.startsWith('inkproof.'))).toEqual([]);
    });
  });
