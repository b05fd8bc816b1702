// Real: the AI SDK's clients over HTTP, picture encoding and cropping. Scripted: the vendor, on loopback.
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { openModel } from '#platform/ai/open-model.ts';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import {
  pageAnswer,
  startVendor,
  type Vendor,
  type VendorReply,
  type VendorRequest,
} from '../../test-support/stand-ins/vendor-stand-in.ts';
import type { Bitmap } from '../page.ts';
import { createTextLayerReader } from '../text-layer/reader.ts';
import type { TranscribeInput, Transcription } from '../transcriber.ts';
import { createVisionTranscriber } from './reader.ts';

let vendor: Vendor;
afterEach(() => vendor?.close());

/** A white page with black bars in the upper and the lower half and nothing in the middle. */
const page: Bitmap = (() => {
  const [width, height] = [600, 800];
  const data = new Uint8Array(width * height).fill(255);
  for (const row of [100, 200, 300, 360, 500, 600, 700]) data.fill(0, row * width + 60, row * width + 540);
  return { width, height, channels: 1, data };
})();

function input(more: Partial<TranscribeInput> = {}): TranscribeInput {
  return {
    source: { kind: 'image', path: '/nonexistent', index: 0 },
    picture: async () => ({ bitmap: page, origin: 'scan', preview: new Uint8Array(), warnings: [] }),
    hints: { pageNumber: 3, pageCount: 9, drawings: 'figure' },
    signal: new AbortController().signal,
    ...more,
  };
}

async function read(
  script: (request: VendorRequest) => VendorReply,
  more: Partial<TranscribeInput> = {},
  settings: {
    provider?: 'openai' | 'anthropic' | 'google' | 'openai-compatible';
    timeoutMs?: number;
    attempts?: number;
  } = {},
): Promise<Transcription> {
  vendor = await startVendor(script);
  const model = openModel({
    AI_PROVIDER: settings.provider,
    AI_MODEL: 'stand-in',
    AI_BASE_URL: vendor.url,
    AI_API_KEY: 'key',
  })!;
  const reader = createVisionTranscriber({
    model,
    timeoutMs: settings.timeoutMs ?? 5_000,
    attempts: settings.attempts,
  });
  return await reader.transcribe(input(more));
}

function transcribed(result: Transcription) {
  if (result.kind !== 'transcribed') throw new Error(`not transcribed: ${JSON.stringify(result)}`);
  return result.page;
}

describe.each(['openai', 'anthropic', 'google', 'openai-compatible'] as const)('%s', (provider) => {
  test('a page is sent as a picture with its number, and its LaTeX comes back', async () => {
    const answer = pageAnswer('Hello $x^2$.', {
      packages: ['siunitx'],
      language: 'fr',
      ends_in_mid_sentence: true,
    });
    const result = transcribed(await read(() => ({ content: answer }), {}, { provider }));
    expect(result).toMatchObject({
      body: 'Hello $x^2$.',
      packages: [{ name: 'siunitx' }],
      layout: { language: 'french' },
      startsParagraph: true,
      endsParagraph: false,
    });
    expect(vendor.requests).toHaveLength(1);
    expect(vendor.requests[0]!.text).toContain('Page 3 of 9');
    const picture = await sharp(vendor.requests[0]!.pictures[0]!).metadata();
    expect(picture).toMatchObject({ format: 'jpeg', width: 600, height: 800 });
  });

  test('an answer cut at the token limit is requested again in two halves, cut between the lines', async () => {
    const seen: number[] = [];
    const result = transcribed(
      await read(
        (request) => {
          if (request.number === 1) return { content: '{"latex":"First line and then', finish: 'length' };
          return { content: pageAnswer(request.text.includes('upper part') ? 'Upper.' : 'Lower.') };
        },
        {},
        { provider },
      ),
    );
    expect(result.body).toBe('Upper.\n\nLower.');
    for (const request of vendor.requests.slice(1))
      seen.push((await sharp(request.pictures[0]!).metadata()).height);
    expect(seen[0]! + seen[1]!).toBe(800);
    // the bars stand at 360 and 500: the cut goes between them
    expect(seen[0]).toBeGreaterThan(360);
    expect(seen[0]).toBeLessThan(500);
  });

  test('a refusal fails the page and is not retried', async () => {
    const result = await read(() => ({ content: '', finish: 'content-filter' }), {}, { provider });
    expect(result).toMatchObject({ kind: 'failed', retryable: false });
    expect(vendor.requests).toHaveLength(1);
  });
});

describe('answers in an unexpected form', () => {
  test.each([
    ['fenced LaTeX', '```latex\nA $b$ c.\n```', 'A $b$ c.'],
    [
      'a whole document',
      '\\documentclass{article}\n\\usepackage{bm}\n\\begin{document}\nBody.\n\\end{document}',
      'Body.',
    ],
    ['JSON in a fence with words around it', 'Here you are:\n```json\n{"latex": "One."}\n```\nDone.', 'One.'],
    [
      'JSON with single backslashes',
      String.raw`{"latex": "\frac{1}{2} \sum \theta \right) \beta"}`,
      String.raw`\frac{1}{2} \sum \theta \right) \beta`,
    ],
    ['plain LaTeX', '\\section*{Week 4}\n\nText.', '\\section*{Week 4}\n\nText.'],
  ])('%s is still read', async (_name, content, body) => {
    expect(transcribed(await read(() => ({ content }))).body).toBe(body);
  });

  test('a preamble in the answer becomes packages', async () => {
    const content =
      '\\documentclass{article}\\usepackage[version=4]{mhchem}\\usepackage{bm,cancel}\\begin{document}x\\end{document}';
    expect(transcribed(await read(() => ({ content }))).packages).toEqual([
      { name: 'mhchem', options: 'version=4' },
      { name: 'bm' },
      { name: 'cancel' },
    ]);
  });

  test('an apology is retried once, then the page fails', async () => {
    const result = await read(() => ({ content: "I'm sorry, I can't help with that image." }));
    expect(result).toMatchObject({ kind: 'failed', retryable: true });
    expect(vendor.requests).toHaveLength(2);
  });

  test('an answer that goes round in circles is asked for in smaller pieces, and fails when every piece does', async () => {
    const loop = `{"latex":"Start. ${'0 & 1 & 0 \\\\\\\\ '.repeat(200)}`;
    const result = await read(() => ({ content: loop }));
    expect(result).toMatchObject({ kind: 'failed', retryable: true });
    // whole, upper half, upper quarter: then it gives up
    expect(vendor.requests).toHaveLength(3);
  });

  test.each([
    ['HTML of a proxy', { rawBody: '<html><body>Bad gateway</body></html>' }],
    ['half a JSON', { rawBody: '{"choices":[{"mess' }],
    ['a cut connection', { content: pageAnswer('x'), cutAfterBytes: 10 }],
    ['a server error', { status: 503 }],
    ['an overloaded vendor', { status: 529 }],
  ] satisfies [string, VendorReply][])('%s is tried again', async (_name, reply) => {
    const result = await read((request) => (request.number === 1 ? reply : { content: pageAnswer('Read.') }));
    expect(transcribed(result).body).toBe('Read.');
    expect(vendor.requests).toHaveLength(2);
  });

  test('a wrong key fails at once and names no key', async () => {
    const result = await read(() => ({ status: 401 }));
    expect(result).toMatchObject({
      kind: 'failed',
      retryable: false,
      message: expect.stringContaining('401'),
    });
    expect(vendor.requests).toHaveLength(1);
  });

  test.each([
    [
      'OpenAI’s empty account',
      { status: 429, rawBody: '{"error":{"message":"x","code":"insufficient_quota"}}' },
    ],
    [
      'Anthropic’s empty account',
      {
        status: 400,
        rawBody: '{"type":"error","error":{"message":"Your credit balance is too low to go on."}}',
      },
    ],
    [
      'a key that Google does not know',
      {
        status: 400,
        rawBody: '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}',
      },
    ],
    ['no money', { status: 402 }],
    ['no right', { status: 403 }],
    ['no such model', { status: 404 }],
  ] satisfies [string, VendorReply][])(
    '%s is asked about once: later answers come without asking',
    async (_name, reply) => {
      vendor = await startVendor(() => reply);
      const reported: string[] = [];
      const gate = new VendorGate({ failed: (part) => void reported.push(part), works() {} });
      const model = openModel({ AI_MODEL: 'stand-in', AI_BASE_URL: vendor.url, AI_API_KEY: 'key' })!;
      const reader = createVisionTranscriber({ model, gate });
      for (let number = 1; number <= 3; number++)
        expect(await reader.transcribe(input())).toMatchObject({ kind: 'failed', isVendorDown: true });
      expect([vendor.requests.length, reported]).toEqual([1, ['ai']]);
    },
  );

  test('a slow answer times out and is retried', async () => {
    const result = await read(
      (request) => ({ content: pageAnswer('Read.'), delayMs: request.number === 1 ? 3_000 : 0 }),
      {},
      { timeoutMs: 400 },
    );
    expect(transcribed(result).body).toBe('Read.');
  });

  test('a rate limit is respected for as long as the vendor says', async () => {
    const times: number[] = [];
    await read((request) => {
      times.push(Date.now());
      return request.number === 1
        ? { status: 429, headers: { 'retry-after': '1' } }
        : { content: pageAnswer('Read.') };
    });
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
  });

  test('cancelling ends the wait', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(new Error('cancelled')), 100);
    await expect(
      read(() => ({ content: pageAnswer('x'), delayMs: 10_000 }), { signal: cancel.signal }),
    ).rejects.toThrow('cancelled');
  });
});

describe('the contents of a page', () => {
  test('its lines of ink, in the order of its blocks', async () => {
    const inkLines: [number, number, number, number][] = [
      [0.1, 0.1, 0.8, 0.03],
      [0.1, 0.14, 0.7, 0.03],
      [0.3, 0.3, 0.2, 0.03],
    ];
    const words = 'A paragraph that is long enough to need the two lines that are wide';
    const { body, places = [] } = transcribed(
      await read(() => ({ content: pageAnswer(`${words}.\n\n\\[ a + b = c \\]`) }), {
        picture: async () => ({
          bitmap: page,
          origin: 'scan',
          preview: new Uint8Array(),
          warnings: [],
          inkLines,
        }),
      }),
    );
    expect(places.map(({ box }) => box)).toEqual(inkLines);
    expect(places.every(({ isApproximate }) => isApproximate)).toBe(true);
    expect(body.slice(places[2]!.start, places[2]!.end)).toBe('\\[ a + b = c \\]');
  });

  test('its own picture as it is, and pixels only where something is cut out of it', async () => {
    const jpeg = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    let redone = 0;
    const whole = { bitmap: page, origin: 'render' as const, preview: new Uint8Array(), warnings: [] };
    const { bitmap: _, ...lean } = whole;
    const picture = async () => ({
      ...lean,
      forModel: new Uint8Array(jpeg),
      inkLines: [],
      redo: async () => {
        redone++;
        return whole;
      },
    });
    await read(({ pictures }) => ({ content: pageAnswer(`${pictures[0]?.equals(jpeg)}`) }), { picture });
    expect([redone, vendor.requests[0]?.pictures[0]?.equals(jpeg)]).toEqual([0, true]);
    await vendor.close();
    const drawings = [{ left: 0.1, top: 0.1, width: 0.5, height: 0.5, caption: null }];
    const content = pageAnswer('\\includegraphics{drawing-1}', { drawings });
    const { figures } = transcribed(await read(() => ({ content }), { picture }));
    expect([redone, figures.length]).toEqual([1, 1]);
  });

  test('unsure readings are reported with their place, and leave no trace in the LaTeX', async () => {
    const content = pageAnswer('Let \\unsure{$x_{\\unsure{1}}$} be \\{a\\} and [illegible].');
    const result = transcribed(await read(() => ({ content })));
    expect(result.body).toBe('Let $x_{1}$ be \\{a\\} and [illegible].');
    expect(result.doubtful.map((span) => result.body.slice(span.start, span.end))).toEqual([
      '$x_{1}$',
      '1',
      '[illegible]',
    ]);
  });

  test('a drawing is cut out where the model saw it and included by a name of its page', async () => {
    const content = pageAnswer('Before.\n\\includegraphics{drawing-1}\nAfter.', {
      drawings: [{ left: 0.1, top: 0.1, width: 0.5, height: 0.25, caption: null }],
    });
    const result = transcribed(await read(() => ({ content })));
    expect(result.body).toMatch(/Before\.\n\\includegraphics\[[^\]]*\]\{figure-p3-1\.png\}\nAfter\./);
    const crop = await sharp(result.figures[0]!.bytes).metadata();
    expect(crop.format).toBe('png');
    // half of 600 and a quarter of 800, with a margin of 1 % on each side
    expect(Math.abs(crop.width - 312)).toBeLessThanOrEqual(1);
    expect(Math.abs(crop.height - 216)).toBeLessThanOrEqual(1);
  });

  test('a placeholder without a box is marked in the text and reported', async () => {
    const result = transcribed(
      await read(() => ({ content: pageAnswer('See \\includegraphics{drawing-1}.') })),
    );
    expect(result.body).toBe('See [drawing].');
    expect(result.warnings).toEqual([expect.objectContaining({ code: 'DRAWING_MISSING', page: 3 })]);
  });

  test('recognises published material', async () => {
    const result = await read(() => ({ content: pageAnswer('', { is_published_material: true }) }));
    expect(result).toEqual({ kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' });
  });

  test("the file's own text travels with the picture as a hint", async () => {
    vendor = await startVendor(() => ({ content: pageAnswer('x') }));
    const model = openModel({ AI_MODEL: 'stand-in', AI_BASE_URL: vendor.url })!;
    const reader = createVisionTranscriber({ model, textLayer: createTextLayerReader() });
    const path = fileURLToPath(new URL('../../fixtures/pdf/biologie-zusammenfassung.pdf', import.meta.url));
    await reader.transcribe(input({ source: { kind: 'pdf', path, index: 0 } }));
    await reader.close();
    expect(vendor.requests[0]!.text).toContain('Aufbau der Zelle');
  });

  test('TikZ is requested only when wanted', async () => {
    await read(() => ({ content: pageAnswer('x') }), {
      hints: { pageNumber: 1, pageCount: 1, drawings: 'tikz' },
    });
    expect(vendor.requests[0]!.text).toContain('tikzpicture');
  });
});
