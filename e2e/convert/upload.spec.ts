import { breakLine } from '../support/product/broken-line.ts';
import { slowDown, watchProgress } from '../support/product/slow-upload.ts';
import { convertButton, expect, putDown, test } from '../support/test.ts';

// the line that breaks below
test.use({ allowRefusals: true });

test('on a slow line the upload shows how far it really is, then reading begins [§3 Converter: loading, uploading, uploadProgress; §4 Conversion: loading and uploading, 0 to 100; §7 POST /api/v1/process: upload progress]', async ({
  page,
}) => {
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  // reading stays where it began, however fast pages are read
  await breakLine(page);
  await slowDown(page, 40_000);
  const seen = await watchProgress(page);
  await convertButton(page).click();
  await expect(page.getByText('Uploading', { exact: true })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Pages read' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toHaveCount(0);
  const figures = await seen();
  expect(figures[0]).toBe(0);
  // many steps, each further than the last, and not one leap to the end
  expect(figures.length).toBeGreaterThan(3);
  expect(figures).toEqual([...figures].sort((a, b) => a - b));
  expect(figures.filter((figure) => figure > 0 && figure < 100).length).toBeGreaterThan(2);
  // whichever page is read first
  await expect(page.getByRole('region', { name: 'Print' })).toContainText(/Binary search|Simulation/);
});
