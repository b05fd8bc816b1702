/**
 * The public pages as seen on a phone, in headless Chromium against the built product: Lighthouse's scores,
 * what is loaded before the first touch, and how long presses take on a processor slowed four times. Needs `npm
 * run build`. Performance scores drop when the machine does other work, so its load is printed.
 */
import { existsSync } from 'node:fs';
import os from 'node:os';
import { chromium } from '@playwright/test';
import { median } from '#reading/box.ts';
import { articleAddress } from '../shared/blog.ts';
import { type PageVisit, pressPage, weighScripts } from './site/press-page.ts';
import { scorePage } from './site/score-page.ts';
import { findPort, serveProduct } from './site/serve-product.ts';
import type { Measurement } from './support/measurement.ts';

const rounds = 3;
const scoredPages = ['/', '/pricing', articleAddress('physics-notation-in-latex'), '/convert'];
/** With anything after a question mark, the landing page starts the app at once (web/app/start/load-on-touch.ts). */
const startedAtOnce = '/?start=now';
/** Debian's Chromium if installed; otherwise Playwright's own. */
const debianChromium = '/usr/bin/chromium';

export async function measure(): Promise<Measurement> {
  const details: Record<string, string> = {};
  const product = await serveProduct();
  const port = await findPort();
  const browser = await chromium.launch({
    executablePath: existsSync(debianChromium) ? debianChromium : undefined,
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`],
  });
  try {
    details['load of the machine before'] = describeLoad();
    for (const page of scoredPages) {
      const { scores, figures, lost } = await scorePage(`${product.url}${page}`, port, rounds);
      const categories = Object.entries(scores).map(([category, score]) => `${category} ${score}`);
      details[`Lighthouse ${page}`] =
        `${categories.join(', ')}; ${figures}${lost.length ? `; lost by ${lost.join(', ')}` : ''}`;
    }
    const weight = await weighScripts(browser, `${product.url}/`);
    details['scripts on / before a touch'] =
      `${(weight.bytes / 1000).toFixed(1)} KB gzip in ${weight.files} files`;
    const onTouch: PageVisit[] = [];
    const startedEarly: PageVisit[] = [];
    for (let round = 0; round < rounds; round++) {
      onTouch.push(await pressPage(browser, `${product.url}/`));
      startedEarly.push(await pressPage(browser, `${product.url}${startedAtOnce}`));
    }
    details['/ slowed four times'] = describeVisits(onTouch);
    details['the same, app started at once'] = describeVisits(startedEarly);
    details['load of the machine after'] = describeLoad();
    const paint = (visits: readonly PageVisit[]) =>
      median(visits.map(({ largestPaintMs }) => largestPaintMs));
    return {
      ratio: paint(onTouch) / paint(startedEarly),
      baseline: 'largest paint of the same page with the app started at once',
      details,
    };
  } finally {
    await browser.close();
    await product.close();
  }
}

function describeLoad(): string {
  return `${os.loadavg()[0]!.toFixed(2)} of ${os.availableParallelism()} processors`;
}

function describeVisits(visits: readonly PageVisit[]): string {
  const middle = (read: (visit: PageVisit) => number) => Math.round(median(visits.map(read)));
  const names = Object.keys(visits[0]!.presses);
  const worst = middle(({ presses }) => Math.max(...Object.values(presses)));
  return [
    `largest paint ${middle(({ largestPaintMs }) => largestPaintMs)} ms`,
    `layout shift ${Math.max(...visits.map(({ layoutShift }) => layoutShift)).toFixed(4)}`,
    `slowest press ${worst} ms (${names.map((name) => `${name} ${middle(({ presses }) => presses[name]!)}`).join(', ')})`,
    `longest task after a press ${middle(({ longestTaskMs }) => longestTaskMs)} ms`,
  ].join(', ');
}
