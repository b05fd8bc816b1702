/**
 * A page that fails and is read again. The conversion is a stand-in here, told by fixed events: no real page can be
 * made to fail once and succeed the next time. Everything else is the product.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ConversionEvent, ConversionPage } from '#shared/api/conversion.ts';
import { convertButton, editor, expect, fixture, listAxeViolations, putDown, test } from './support/test.ts';

const pageOf = (number: number, state: ConversionPage['state']): ConversionPage => ({
  number,
  state,
  warnings: [],
  doubtful: [],
  ...(state === 'read' ? { latex: `Text of page ${number}.` } : {}),
  ...(state === 'failed' ? { error: { code: 'GENERATION_FAILED', error: '', source: 'server' } } : {}),
});
const latexOf = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;

async function standIn(page: Page): Promise<void> {
  const pdf = (await readFile(fixture('pdf/probability-table.pdf'))).toString('base64');
  const deliver = (body: string): ConversionEvent => ({
    type: 'delivered',
    result: {
      conversion_id: 'c1',
      latex: latexOf(body),
      pdf_base64: pdf,
      warnings: [],
      figures: [],
      doubtful: [],
      source_map: { lines: [], doubtful: [] },
    },
  });
  let events: ConversionEvent[] = [
    { type: 'accepted', conversion_id: 'c1', page_count: 2 },
    { type: 'page', page: pageOf(1, 'read') },
    { type: 'page', page: pageOf(2, 'failed') },
    deliver('Only page one.'),
  ];
  const state = () => {
    const pages = new Map<number, ConversionPage>();
    for (const event of events) if (event.type === 'page') pages.set(event.page.number, event.page);
    const delivered = events.findLast((event) => event.type === 'delivered');
    return {
      conversion_id: 'c1',
      state: 'delivered',
      created_at: new Date(0).toISOString(),
      pages: [...pages.values()],
      result: delivered?.type === 'delivered' ? delivered.result : undefined,
      last_event_id: String(events.length),
    };
  };
  const stream = () =>
    events
      .map((event, index) => `id: ${index + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
  const headers = { 'Content-Type': 'text/event-stream' };
  await page.route('**/api/v1/process', (route) =>
    route.fulfill({ headers, body: `data: ${JSON.stringify(events[0])}\n\n` }),
  );
  await page.route('**/api/v1/conversions/c1', (route) => route.fulfill({ json: state() }));
  await page.route('**/api/v1/conversions/c1/events', (route) => route.fulfill({ headers, body: stream() }));
  await page.route('**/api/v1/conversions/c1/pages/*/image', async (route) =>
    route.fulfill({
      contentType: 'image/jpeg',
      body: await readFile(fixture('scans/probability-table-skewed-p1.jpg')),
    }),
  );
  await page.route('**/api/v1/conversions/c1/pages/2/retry', (route) => {
    events = [
      ...events,
      { type: 'stage', state: 'reading' },
      { type: 'page', page: pageOf(2, 'read') },
      deliver('Page one and page two.'),
    ];
    return route.fulfill({ status: 202, json: state() });
  });
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  await convertButton(page).click();
  await expect(page.getByText('Page 2 could not be read; the document is made without it.')).toBeVisible();
}

test('a failed page is read again and joins the document', async ({ page }) => {
  await standIn(page);
  expect(await listAxeViolations(page)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Page 2, could not be read' })).toBeVisible();
  await page
    .getByRole('region', { name: 'Print' })
    .getByRole('button', { name: 'Read page 2 again' })
    .click();
  await expect(page.getByRole('button', { name: 'Page 2, read' })).toBeVisible();
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await expect(editor(page)).toContainText('Page one and page two.');
});

test('a document that was edited meanwhile is replaced only if its owner wants that', async ({ page }) => {
  await standIn(page);
  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% mine\n');
  await page
    .getByRole('region', { name: 'Pages' })
    .getByRole('button', { name: 'Read page 2 again' })
    .click();
  await expect(page.getByText('Using it replaces what you edited here.')).toBeVisible();
  await expect(editor(page)).toContainText('% mine');
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(editor(page)).toContainText('Page one and page two.');
  await expect(editor(page)).not.toContainText('% mine');
});
