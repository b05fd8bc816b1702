/** Section 7: the calls, as any program may make them over HTTP. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from '@playwright/test';
import { type Caller, callApi, openCaller } from '../support/product/caller.ts';
import { startProduct } from '../support/product/start-product.ts';
import { latexOf } from '../support/screens/library.ts';

let ada: Caller;
test.beforeAll(async () => {
  ada = await openCaller();
});

test('§7 POST /api/v1/compile: a PDF, or a JSON error', async () => {
  const compiled = await callApi('POST', '/compile', { latex: latexOf('Ink.'), return_pdf: true });
  expect(compiled.headers.get('content-type')).toBe('application/pdf');
  expect(
    Buffer.from(await compiled.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const failed = await callApi('POST', '/compile', { latex: latexOf('\\nosuchcommand') });
  expect(failed.status).toBe(422);
  expect(await failed.json()).toMatchObject({
    code: 'COMPILATION_FAILED',
    error: 'LaTeX compilation failed. Check the code or try the suggested fix.',
    messages: [{ level: 'error', line: 4 }],
  });
});

test('§7 POST /api/v1/compile: source is user unless it is said', async () => {
  const latex = latexOf('\\nosuchcommand');
  expect((await (await callApi('POST', '/compile', { latex })).json()).source).toBe('user');
  const ofServer = await callApi('POST', '/compile', { latex, source: 'server' });
  expect((await ofServer.json()).source).toBe('server');
});

test('§7 POST /api/v1/request-change: LaTeX, or an error', async () => {
  const latex = latexOf('\\maketitle\nInk.').replace('\\begin', '\\title{Before}\n\\begin');
  const changed = await ada.call('POST', '/request-change', { latex, feedback: 'change the title to After' });
  expect((await changed.json()).latex).toBe(latex.replace('Before', 'After'));
  const refused = await ada.call('POST', '/request-change', { latex, feedback: 'make it rhyme' });
  expect(refused.ok).toBe(false);
  expect(await refused.json()).toMatchObject({ code: expect.any(String), error: expect.stringMatching(/./) });
});

/** A blank page. */
async function emptyPdf(): Promise<Blob> {
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 400]);
  return new Blob([Buffer.from(await pdf.save())], { type: 'application/pdf' });
}

async function stamp(fields: Record<string, string>, pdf: Blob): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', pdf, 'document.pdf');
  return callApi('POST', '/watermark', form);
}

/** The matrices by which a PDF's streams scale and turn what they draw. */
function readMatrices(pdfBase64: string): string[] {
  const pdf = Buffer.from(pdfBase64, 'base64').toString('latin1');
  const streams = [...pdf.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes]) => {
    try {
      return inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1');
    } catch {
      return bytes!;
    }
  });
  return streams.flatMap((text) => text.match(/(?:-?[\d.]+ ){6}cm/g) ?? []);
}

test('§7 POST /api/v1/watermark: pdf_base64, or an error', async () => {
  const marked = await stamp({ watermark_text: 'DRAFT', size_scale: '1' }, await emptyPdf());
  const { pdf_base64 } = await marked.json();
  expect((await PDFDocument.load(pdf_base64)).getPageCount()).toBe(1);
  const refused = await stamp({ watermark_text: 'DRAFT' }, new Blob(['no PDF']));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: 'INVALID_INPUT', source: 'user' });
});

test('§7 POST /api/v1/watermark: size_scale is 1 unless it is said', async () => {
  const pdf = await emptyPdf();
  const [unsaid, one, two] = await Promise.all(
    ['', '1', '2'].map(async (size_scale) => {
      const answer = await stamp({ watermark_text: 'DRAFT', ...(size_scale && { size_scale }) }, pdf);
      return readMatrices((await answer.json()).pdf_base64);
    }),
  );
  expect(unsaid!.length).toBeGreaterThan(0);
  expect(unsaid).toEqual(one);
  expect(unsaid).not.toEqual(two);
});

/** The log's name for this many days ago. */
function logNameOf(daysAgo: number): string {
  return `inkproof-${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}.log`;
}

test.describe('an installation with a vendor’s key', () => {
  test('§1 The AI: a third party on a paid tier, not used for training; §7 Country: three services, in order; §9 Logs 14 days, breach notice 72 hours', async () => {
    /** The services in the order they were asked; the first is down, the second does not know the country. */
    const requested: string[] = [];
    const service = createServer((request, response) => {
      requested.push(request.url ?? '');
      if (request.url?.startsWith('/first')) response.statusCode = 500;
      response.end(request.url?.startsWith('/third') ? JSON.stringify({ country_code: 'GB' }) : '{}');
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const at = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const product = await startProduct(
      {
        AI_API_KEY: 'sk-ant-of-nobody',
        GEOIP_URLS: ['first', 'second', 'third'].map((name) => `${at}/${name}/{ip}`).join(','),
        TRUSTED_PROXIES: '1',
      },
      {
        prepare: (dataDir) => {
          mkdirSync(path.join(dataDir, 'logs'));
          for (const days of [14, 15]) writeFileSync(path.join(dataDir, 'logs', logNameOf(days)), '{}\n');
        },
      },
    );
    try {
      const country = await fetch(`${product.address.apiUrl}/api/v1/country`, {
        headers: { 'X-Forwarded-For': '81.2.69.142' },
      });
      expect(await country.json()).toEqual({ country: 'GB' });
      expect(requested).toEqual(['/first/81.2.69.142', '/second/81.2.69.142', '/third/81.2.69.142']);
      const privacy = await (await fetch(`${product.address.url}/privacy`)).text();
      const words = privacy.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
      expect(words).toContain('by a third-party AI service: Anthropic.');
      expect(words).toContain('We use its paid tier, on which what is sent is not used to train models.');
      // a day's log is kept for 14 days after it
      const left = readdirSync(path.join(product.dataDir, 'logs')).filter((name) => /20\d\d/.test(name));
      expect(left).toContain(logNameOf(14));
      expect(left).not.toContain(logNameOf(15));
    } finally {
      await product.close();
      service.close();
    }
  });
});
