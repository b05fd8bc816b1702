/**
 * A conversion whose second page fails at first and then succeeds: a stand-in that sends fixed events, because
 * no real page can be made to do so.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ConversionEvent, ConversionPage } from '#shared/api/conversion.ts';
import { convertButton, expect, fixture, putDown } from '../test.ts';

const pageOf = (number: number, state: ConversionPage['state']): ConversionPage => ({
  number,
  state,
  warnings: [],
  doubtful: [],
  ...(state === 'read' ? { latex: `Text of page ${number}.` } : {}),
  ...(state === 'failed' ? { error: { code: 'GENERATION_FAILED', error: '', source: 'server' } } : {}),
});
const latexOf = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;

/** Converts two pages, of which the second fails. */
export async function convertWithFailedPage(page: Page): Promise<void> {
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
  await expect(page.getByText('Page 2 could not be read and is not in the document.')).toBeVisible();
}
