import { devices } from '@playwright/test';
import {
  convertButton,
  expect,
  expectNoSidewaysScroll,
  fixture,
  listAxeViolations,
  pdfText,
  test,
} from '../support/test.ts';

const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
test.use({ viewport, userAgent, deviceScaleFactor, isMobile, hasTouch, colorScheme: 'dark' });

test('a photo taken with a phone becomes a document on the phone [§1 A photo of notes becomes a document]', async ({
  page,
}) => {
  await page.goto('/convert');
  const camera = page.getByLabel('Take a photo').and(page.locator('input'));
  await expect(camera).toHaveAttribute('capture', 'environment');
  await camera.setInputFiles(fixture('scans/grammaire-subjonctif-scan-p1.jpg'));
  // the button is within reach without scrolling
  await expect(convertButton(page)).toBeInViewport();
  await expectNoSidewaysScroll(page);
  expect(await listAxeViolations(page)).toEqual([]);

  await convertButton(page).tap();
  await expect(page.getByRole('progressbar')).toBeInViewport();
  await expectNoSidewaysScroll(page);

  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
  await expect(pdfText(page)).toContainText('subjonctif');
  await expectNoSidewaysScroll(page);
  expect(await listAxeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Ink', exact: true }).tap();
  await expect(page.getByRole('region', { name: 'Ink' }).locator('img')).toBeInViewport();
  await page.getByRole('button', { name: 'LaTeX and PDF', exact: true }).tap();
  await page.getByRole('tab', { name: 'LaTeX' }).tap();
  await expect(page.getByRole('textbox', { name: 'LaTeX source' })).toBeVisible();
  await expectNoSidewaysScroll(page);

  // every control is large enough for a finger
  const small = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], input:not([type=file]), textarea, [role=tab]',
      ),
    ]
      .filter((control) => control.checkVisibility() && !control.closest('.sr-only, .cm-editor'))
      .map((control) => ({
        name: control.getAttribute('aria-label') ?? control.textContent,
        box: control.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.height > 1 && (box.height < 40 || box.width < 40))
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
});
