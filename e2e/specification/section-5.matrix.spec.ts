/** Section 5: who may sign up, over HTTP; the form's own texts are in sign-up.spec.ts. */
import { expect, type Page, test } from '@playwright/test';
import { password, visitor } from '../support/product/accounts.ts';
import { callIdentity } from '../support/product/caller.ts';
import { authDialog, submit } from '../support/screens/dialog.ts';
import { test as browserTest, convertButton, putDown } from '../support/test.ts';

const alias =
  'Oops! Gmail aliases with "+" or dots aren\'t supported right now. Could you try signing up with your regular Gmail address?';
const suspicious =
  'Sorry, sign-ups from temporary, disposable, or suspicious email addresses are not allowed. Please use a valid personal or business email address.';

/** The refusal's sentence when signing up with this address, or null. */
async function judge(email: string): Promise<string | null> {
  const answer = await callIdentity('/signup', { email, password });
  const body = (await answer.json()) as { message?: string; msg?: string };
  return answer.ok ? null : (body.msg ?? body.message ?? '');
}

async function expectVerdicts(sentence: string | null, emails: readonly string[]): Promise<void> {
  const verdicts = await Promise.all(emails.map(async (email) => [email, await judge(email)]));
  expect(verdicts).toEqual(emails.map((email) => [email, sentence]));
}

test('§5 Gmail with a plus is refused', async () => {
  await expectVerdicts(alias, ['ada+notes@gmail.com', 'ada+notes@googlemail.com', 'Ada+@GMAIL.com']);
  await expectVerdicts(null, ['ada.lovelace@gmail.com', 'ada+notes@example.com']);
});

/** Domains well known for disposable addresses when the specification was written. */
const disposable =
  '10minutemail.com 20minutemail.com 33mail.com anonbox.net burnermail.io deadaddress.com discard.email discardmail.com dispostable.com dropmail.me emailondeck.com fakeinbox.com fakemail.net filzmail.com getairmail.com getnada.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org harakirimail.com incognitomail.org inboxbear.com jetable.org mailcatch.com maildrop.cc mailexpire.com mailforspam.com mailinator.com mailinator.net mailnesia.com mailnull.com mintemail.com mohmal.com moakt.com mytemp.email mytrashmail.com nada.email sharklasers.com spam4.me spambog.com spambox.us spamex.com spamgourmet.com temp-mail.org tempail.com tempinbox.com tempmail.com tempmailo.com throwawaymail.com trashmail.com yopmail.com'.split(
    ' ',
  );

test('§5 Disposable domains; §9 About 55 disposable domains', async () => {
  expect(disposable).toHaveLength(55);
  await expectVerdicts(
    suspicious,
    disposable.map((domain) => `ada@${domain}`),
  );
});

test('§5 15 characters, more than 80 % digits', async () => {
  await expectVerdicts(suspicious, ['1234567890123ab@example.com', '123456789012345@example.com']);
  // 12 of 15 are 80 %; 14 characters are too few
  await expectVerdicts(null, ['123456789012abc@example.com', '12345678901234@example.com']);
});

test('§5 25 characters, no vowel', async () => {
  await expectVerdicts(suspicious, ['bcdfghjklmnpqrstvwxyzbcdf@example.com']);
  await expectVerdicts(null, [
    'bcdfghjklmnpqrstvwxyzbcd@example.com',
    'bcdfghjklmnpqrstvwxyzbcda@example.com',
  ]);
});

const spamWords = 'free bonus offer cash money win prize credit lotto loan bitcoin crypto investment'.split(
  ' ',
);

test('§5 A spam word, more than 30 % digits', async () => {
  await expectVerdicts(
    suspicious,
    spamWords.map((word) => `${word}${'7'.repeat(word.length)}@example.com`),
  );
  // 3 of 10 are 30 %
  await expectVerdicts(null, ['free-notes@example.com', 'winabcd777@example.com']);
});

const suffixes = 'xyz top click link work club gq cf ml ga tk fit date win'.split(' ');

test('§5 A risky suffix, more than 50 % digits', async () => {
  await expectVerdicts(
    suspicious,
    suffixes.map((suffix) => `ab777@notebook.${suffix}`),
  );
  await expectVerdicts(null, ['ab77@notebook.xyz', 'ab777@example.com']);
});

test('§5 A risky suffix, 25 characters', async () => {
  await expectVerdicts(
    suspicious,
    suffixes.map((suffix) => `${'ada.lovelace'.repeat(2)}a@notebook.${suffix}`),
  );
  await expectVerdicts(null, [
    `${'ada.lovelace'.repeat(2)}@notebook.xyz`,
    `${'ada.lovelace'.repeat(2)}a@example.com`,
  ]);
});

test('§5 A risky suffix, a spam word', async () => {
  await expectVerdicts(
    suspicious,
    suffixes.map((suffix) => `moneytalk@notebook.${suffix}`),
  );
  await expectVerdicts(null, ['moneytalk@example.com']);
});

test('§5 Sign-up alone is judged', async () => {
  for (const email of ['ada+notes@gmail.com', 'ada@mailinator.com']) {
    const answer = await callIdentity('/token?grant_type=password', { email, password });
    expect(await answer.json()).toMatchObject({ code: 'invalid_credentials' });
  }
});

/** The bodies of the uploads that the browser sends, which are not passed on. */
async function keepUploads(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route('**/api/v1/process', async (route) => {
    sent.push(route.request().postDataBuffer()?.toString('latin1') ?? '');
    await route.fulfill({ json: {} });
  });
  return sent;
}

browserTest.describe('in the browser', () => {
  browserTest('§5 start_page is 1, end_page goes only if set', async ({ page }) => {
    const sent = await keepUploads(page);
    await putDown(page, 'pdf/calculus-limits-integrals.pdf');
    await convertButton(page).click();
    await expect(page.getByRole('alert')).toBeVisible();
    expect(sent[0]).toMatch(/name="start_page"\r\n\r\n1\r\n/);
    expect(sent[0]).not.toContain('name="end_page"');
    await page.getByLabel('to', { exact: true }).fill('2');
    await page.getByLabel('to', { exact: true }).press('Enter');
    await convertButton(page).click();
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toMatch(/name="start_page"\r\n\r\n1\r\n/);
    expect(sent[1]).toMatch(/name="end_page"\r\n\r\n2\r\n/);
  });

  browserTest.describe('of a visitor', () => {
    browserTest.use(visitor);

    browserTest('§5 No local part, no domain', async ({ page }) => {
      await page.goto('/contact');
      await page.getByRole('button', { name: 'Sign up' }).click();
      const field = authDialog(page).getByLabel('E-mail');
      for (const email of ['@example.com', 'ada@', 'ada', '@']) {
        await field.fill(email);
        await field.blur();
        await expect(field).toHaveAccessibleDescription(suspicious);
      }
    });

    browserTest('§5 An e-mail and a password are needed', async ({ page }) => {
      await page.goto('/contact');
      for (const [opener, mode] of [
        ['Login', 'Log In'],
        ['Sign up', 'Sign Up'],
      ] as const) {
        await page.getByRole('button', { name: opener }).click();
        for (const label of ['E-mail', 'Password']) {
          await submit(page, mode).click();
          const field = authDialog(page).getByLabel(label, { exact: true });
          await expect(field).toHaveAccessibleDescription(
            /You must provide either an email or phone number and a password$/,
          );
          await field.fill('ada@example.com');
        }
        await page.keyboard.press('Escape');
      }
    });
  });
});
