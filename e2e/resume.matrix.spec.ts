/** A conversion whose connection is lost. */
import { convertButton, expect, putDown, test } from './support/test.ts';

const threeScans = 'scans/probability-table+grammaire-subjonctif-image-only.pdf';

test.describe('without a connection', () => {
  test.use({ allowRefusals: true });

  test('a lost connection is said, the work goes on, and the page catches up', async ({ page, context }) => {
    await putDown(page, threeScans);
    await convertButton(page).click();
    await expect(page.getByRole('button', { name: 'Page 1, being read' })).toBeVisible({ timeout: 120_000 });
    // streams that are open stay open when the browser goes offline: a reload begins without any
    await page.route('**/events', (route) => route.abort('internetdisconnected'));
    await page.reload();
    await expect(page.getByText('The connection was lost.', { exact: false })).toBeVisible();
    await page.unroute('**/events');
    await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
    await context.setOffline(false);
  });
});
