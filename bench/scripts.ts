/**
 * What a browser loads of the product before anything is touched: the scripts of the converter, of the library and of a
 * document, whose page is shown. Needs `npm run build`. Ratio: the editor's scripts to the converter's.
 */
import { existsSync } from 'node:fs';
import { type BrowserContextOptions, chromium } from '@playwright/test';
import { createAccount, createCall, signIn } from '../setup/demonstration.ts';
import { weighScripts } from './site/press-page.ts';
import { serveProduct } from './site/serve-product.ts';
import type { Measurement } from './support/measurement.ts';

const viewport = { width: 1600, height: 900 };
const latex = '\\documentclass{article}\n\\begin{document}\nText, and $x$.\n\\end{document}\n';
/** Debian's Chromium if installed; otherwise Playwright's own. */
const debianChromium = '/usr/bin/chromium';

export async function measure(): Promise<Measurement> {
  const product = await serveProduct();
  const browser = await chromium.launch({
    executablePath: existsSync(debianChromium) ? debianChromium : undefined,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const [email, password] = ['ada@example.com', 'wet ink becomes print'];
    await createAccount(product, email, password);
    const session = await signIn(product.url, email, password);
    const call = createCall(product.url, session.access_token);
    const { id } = await call<{ id: string }>('POST', '/documents', {
      title: 'Notes',
      latex,
      source_map: null,
    });
    const localStorage = [{ name: 'inkproof-auth', value: JSON.stringify(session) }];
    const user: BrowserContextOptions = {
      viewport,
      storageState: { cookies: [], origins: [{ origin: product.url, localStorage }] },
    };
    const weights: Record<string, { bytes: number; files: number }> = {
      'converter, as a visitor': await weighScripts(browser, `${product.url}/convert`, { viewport }),
      'converter, signed in': await weighScripts(browser, `${product.url}/convert`, user),
      library: await weighScripts(browser, `${product.url}/documents`, user),
      editor: await weighScripts(browser, `${product.url}/documents/${id}`, user),
    };
    const tell = ({ bytes, files }: { bytes: number; files: number }) =>
      `${(bytes / 1000).toFixed(1)} KB gzip in ${files} files`;
    return {
      ratio: weights.editor!.bytes / weights['converter, as a visitor']!.bytes,
      baseline: "the converter's scripts",
      details: Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, tell(weight)])),
    };
  } finally {
    await browser.close();
    await product.close();
  }
}
