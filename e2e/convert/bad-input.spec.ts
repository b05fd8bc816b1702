import { chooseFrom } from '../../test-support/matrix.ts';
import { convertButton, expect, listAxeViolations, putDown, test } from '../support/test.ts';

test.use({ allowRefusals: true });

const copyright = 'We detected copyrighted material. Ensure you have the rights or try a different file.';
/** The most typical first. Those without a message here show the server's own. */
const refused: { name: string; says: RegExp | string }[] = [
  { name: 'bad/encrypted.pdf', says: /password/i },
  { name: 'bad/copyrighted.pdf', says: copyright },
  { name: 'bad/truncated.pdf', says: /damaged|export/i },
  { name: 'bad/html-named.pdf', says: /not a PDF|neither/i },
  { name: 'bad/empty.pdf', says: /empty/i },
  { name: 'bad/zero-pages.pdf', says: /no pages/i },
];

for (const { name, says } of chooseFrom(import.meta.filename, refused))
  test(`${name} is refused with a message that says what to do, and the desk is unchanged [§8 COPYRIGHTED_PDF; §8 INVALID_INPUT]`, async ({
    page,
  }) => {
    await putDown(page, name);
    const answered = page.waitForResponse('**/api/v1/process');
    await convertButton(page).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(says);
    if (says instanceof RegExp) {
      const { code, error } = await (await answered).json();
      expect(code).toBe('INVALID_INPUT');
      await expect(alert).toHaveText(error);
    }
    expect(await listAxeViolations(page)).toEqual([]);
    await expect(page.getByRole('region', { name: 'Pages' }).getByRole('listitem').first()).toBeVisible();
  });
