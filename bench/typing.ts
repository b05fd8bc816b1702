/**
 * Typing into long documents, in Chromium against the built product: 300 keys in the middle of an empty
 * document and of documents of 3,000 and 10,000 lines, with spelling, the outline, marks of doubt and the live
 * page on. A key's time runs from its event to the frame that shows it. The documents take turns in blocks of
 * 50 keys, so that all see the machine in the same state. Ratio: the slowest key in the longest document to
 * that in the empty one.
 */
import '../test-support/own-fonts.ts';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { type Browser, chromium, type Page } from '@playwright/test';
import { type Call, createAccount, createCall, signIn } from '../setup/demonstration.ts';
import { serveProduct } from './site/serve-product.ts';
import { type Measurement, percentile } from './support/measurement.ts';

const lengths = [0, 3_000, 10_000];
const keys = 300;
const block = 50;
/** About ten keys a second. */
const pauseMs = 100;
const frameMs = 1000 / 60;
const doubts = 40;
/** Debian's Chromium if installed; otherwise Playwright's own. */
const debianChromium = '/usr/bin/chromium';
const words = 'the limit of a sequence is what its members come close to ';

export async function measure(): Promise<Measurement> {
  const product = await serveProduct();
  let browser: Browser | null = null;
  try {
    const [email, password] = ['ada@example.com', 'wet ink becomes print'];
    await createAccount(product, email, password);
    const session = await signIn(product.url, email, password);
    const call = createCall(product.url, session.access_token);
    browser = await chromium.launch({
      executablePath: existsSync(debianChromium) ? debianChromium : undefined,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    const localStorage = [{ name: 'inkproof-auth', value: JSON.stringify(session) }];
    const context = await browser.newContext({
      viewport: { width: 1600, height: 900 },
      baseURL: product.url,
      locale: 'en-GB',
      storageState: { cookies: [], origins: [{ origin: product.url, localStorage }] },
    });
    const pages: Page[] = [];
    for (const lines of lengths) pages.push(await open(await context.newPage(), call, lines));
    const times: number[][] = lengths.map(() => []);
    for (let typed = 0; typed < keys; typed += block)
      for (const [at, page] of pages.entries()) {
        await page.bringToFront();
        await page.waitForTimeout(1_500);
        times[at]!.push(...(await type(page, typed)));
      }
    const details: Record<string, string> = { load: os.loadavg()[0]!.toFixed(1) };
    const [empty, ...long] = times.map((all) => all.toSorted((a, b) => a - b));
    const tell = (sorted: readonly number[]) =>
      `median ${percentile(sorted, 0.5).toFixed(1)}, p95 ${percentile(sorted, 0.95).toFixed(1)}, slowest ${sorted.at(-1)!.toFixed(1)} ms (${sorted.length} keys)`;
    details['empty document'] = tell(empty!);
    for (const [at, sorted] of long.entries())
      details[`${lengths[at + 1]!.toLocaleString('en')} lines`] =
        `${tell(sorted)}; p95 ${((percentile(sorted, 0.95) - percentile(empty!, 0.95)) / frameMs).toFixed(2)} frames more than in the empty one`;
    return {
      ratio: long.at(-1)!.at(-1)! / empty!.at(-1)!,
      baseline: 'slowest of 300 keys in an empty document',
      details,
    };
  } finally {
    await browser?.close();
    await product.close();
  }
}

async function open(page: Page, call: Call, lines: number): Promise<Page> {
  const latex = write(lines);
  const doubtful = Array.from({ length: lines === 0 ? 0 : doubts }, (_, at) => {
    const line = 10 + at * Math.floor(lines / (doubts + 1));
    const start = latex.split('\n', line).join('\n').length + 1;
    return { start, end: start + 3, confidence: 0.4, reason: 'unclear handwriting', page: 1 };
  });
  const { id } = await call<{ id: string }>('POST', '/documents', {
    title: `${lines} lines`,
    latex,
    source_map: lines === 0 ? null : { lines: [], doubtful },
  });
  await page.goto(`/documents/${id}`);
  const editor = page.locator('.cm-content');
  await editor.waitFor();
  await page.getByText('The page is up to date.').waitFor({ timeout: 300_000 });
  if (lines > 0 && (await page.getByRole('navigation', { name: 'Outline' }).count()) === 0) {
    await page.getByRole('button', { name: 'Outline', exact: true }).click();
    await page.getByRole('button', { name: 'Keep open next to the source' }).click();
  }
  await editor.focus();
  await page.keyboard.press('Control+Home');
  // into the middle, where lines above and below it are drawn
  for (let at = 0; at < Math.min(40, lines / 2) + 2; at++) await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.evaluate(() => {
    const shown: number[] = [];
    Object.assign(window, { shown });
    document.addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          // a message is delivered when the frame has been drawn
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => shown.push(performance.now() - timeStamp);
          port2.postMessage(null);
        }),
      { capture: true },
    );
  });
  return page;
}

/** Types a block of keys. @returns their times, ms */
async function type(page: Page, from: number): Promise<number[]> {
  for (let at = from; at < from + block; at++) {
    await page.keyboard.press(words[at % words.length] === ' ' ? 'Space' : words[at % words.length]!);
    await page.waitForTimeout(pauseMs);
  }
  return page.evaluate(() => (window as unknown as { shown: number[] }).shown.splice(0));
}

function write(lines: number): string {
  const body: string[] = [];
  for (let at = 0; body.length < lines; at++) {
    if (at % 40 === 0) body.push(`\\section{Part ${at / 40 + 1}}\\label{part:${at}}`);
    else if (at % 10 === 0) body.push('\\[', `  \\sum_{k=1}^{n} a_k^{${at}} = \\frac{n(n+1)}{2}`, '\\]');
    else if (at % 7 === 0) body.push('');
    else
      body.push(
        `Line ${at} says that ${words.trim()}, as $x_{${at}} \\to 0$ in \\ref{part:${at - (at % 40)}}.`,
      );
  }
  return [
    '\\documentclass{article}',
    '\\usepackage{amsmath}',
    '\\begin{document}',
    'Text.',
    ...body,
    '\\end{document}',
  ].join('\n');
}
