// Real: the AI SDK's client over HTTP, turning and cutting of pictures, alignment. Scripted: the vendor, on loopback.
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { openModel } from '#platform/ai/open-model.ts';
import {
  pageAnswer,
  startVendor,
  type Vendor,
  type VendorReply,
  type VendorRequest,
} from '../../test-support/stand-ins/vendor-stand-in.ts';
import type { Bitmap, PagePicture, Quarters } from '../page.ts';
import { turnQuarters } from '../pages/paper/geometry.ts';
import type { TranscribeInput } from '../transcriber.ts';
import { createVisionTranscriber, type VisionOptions } from './reader.ts';

let vendor: Vendor;
afterEach(() => vendor?.close());

/** A white page with three bars of ink. */
const page: Bitmap = (() => {
  const [width, height] = [600, 800];
  const data = new Uint8Array(width * height).fill(255);
  for (const row of [100, 300, 500]) data.fill(0, row * width + 60, row * width + 540);
  return { width, height, channels: 1, data };
})();
const inkLines: ShareBox[] = [
  [0.1, 0.1, 0.8, 0.04],
  [0.1, 0.3, 0.8, 0.04],
  [0.1, 0.5, 0.8, 0.04],
];

function pictureOf(bitmap: Bitmap, turns: Quarters[] = []): PagePicture {
  const turn = async (quarters: Quarters) => {
    turns.push(quarters);
    const { turn: _, ...turned } = pictureOf(turnQuarters(bitmap, quarters));
    return turned;
  };
  return { bitmap, origin: 'scan', preview: new Uint8Array(), warnings: [], inkLines, turn };
}

async function open(
  script: (request: VendorRequest) => VendorReply | Promise<VendorReply>,
  options: Partial<VisionOptions> = {},
) {
  vendor = await startVendor(script);
  const model = openModel({ AI_MODEL: 'stand-in', AI_BASE_URL: vendor.url })!;
  const reader = createVisionTranscriber({ model, timeoutMs: 5_000, ...options });
  return async (more: Partial<TranscribeInput> = {}) => {
    const result = await reader.transcribe({
      source: { kind: 'image', path: '/nonexistent', index: 0 },
      picture: async () => pictureOf(page),
      hints: { pageNumber: 3, pageCount: 9, drawings: 'figure' },
      signal: new AbortController().signal,
      ...more,
    });
    if (result.kind !== 'transcribed') throw new Error(`not transcribed: ${JSON.stringify(result)}`);
    return result;
  };
}

test('a page that the model says stands wrong is turned and asked for again', async () => {
  const read = await open(({ number }) => ({
    content: number === 1 ? pageAnswer('', { turn: 90 }) : pageAnswer('Upright.'),
  }));
  const turns: Quarters[] = [];
  const { page: got, turned } = await read({ picture: async () => pictureOf(page, turns) });
  expect([got.body, turns, turned?.turn]).toEqual(['Upright.', [1], 1]);
  expect(got.warnings).toEqual([expect.objectContaining({ code: 'PAGE_TURNED', page: 3 })]);
  const second = await sharp(vendor.requests[1]!.pictures[0]!).metadata();
  expect([second.width, second.height]).toEqual([800, 600]);
  expect(vendor.requests.map(({ text }) => text.includes('set "turn"'))).toEqual([true, false]);
});

test('a model that wants it turned again is believed once, and the page says that it is unsure', async () => {
  const read = await open(() => ({ content: pageAnswer('Some words.', { turn: 180 }) }));
  const { page: got } = await read();
  expect(got.body).toBe('Some words.');
  expect(got.warnings).toEqual([expect.objectContaining({ code: 'ORIENTATION_UNSURE' })]);
  expect(vendor.requests).toHaveLength(2);
});

test('where a person has decided which way is up, the model is not asked', async () => {
  const read = await open(() => ({ content: pageAnswer('Words.', { turn: 180 }) }));
  const { turn: _, ...decided } = pictureOf(page);
  const result = await read({ picture: async () => decided });
  expect([result.turned, vendor.requests.length]).toEqual([undefined, 1]);
  expect(vendor.requests[0]!.text).not.toContain('set "turn"');
});

test('boxes that the model gives lead to the ink that they mean, whatever the order of the lines', async () => {
  const lines = [
    { begins: 'Second column', left: 0.12, top: 0.49, width: 0.7, height: 0.05 },
    { begins: '$a+b=c', left: 0.1, top: 0.11, width: 0.8, height: 0.03 },
  ];
  const read = await open(() => ({ content: pageAnswer('Second column first.\n\n$a+b=c$', { lines }) }));
  const { body, places = [] } = (await read()).page;
  expect(
    places.map(({ start, end, box, isApproximate }) => [body.slice(start, end), box, isApproximate]),
  ).toEqual([
    ['Second column first.', inkLines[2], undefined],
    ['$a+b=c$', inkLines[0], undefined],
  ]);
});

test('boxes in thousandths are understood; boxes in unknown measures are not used', async () => {
  const line = { begins: 'Words', left: 100, top: 310, width: 800, height: 30 };
  const answer = (scale: number) =>
    pageAnswer('Words alone.', {
      lines: [{ ...line, left: line.left * scale, top: line.top * scale, width: line.width * scale }],
    });
  const read = await open(({ number }) => ({ content: answer(number === 1 ? 1 : 20) }));
  expect((await read()).page.places?.[0]).toEqual({ start: 0, end: 12, box: inkLines[1] });
  expect((await read()).page.places?.[0]?.isApproximate).toBe(true);
});

test('a sign decided on one page is told with the next of the same document, and with no other', async () => {
  const notation = [{ sign: 'v with an arrow', latex: '\\vec{v}' }];
  const read = await open(({ number }) => ({ content: pageAnswer('x', number === 1 ? { notation } : {}) }));
  const hints = { pageNumber: 1, pageCount: 2, drawings: 'figure' } as const;
  for (const document of ['one', 'one', 'two', undefined])
    await read({ hints: { ...hints, ...(document ? { document } : {}) } });
  const hasDecision = vendor.requests.map(({ text }) => text.includes('v with an arrow = \\vec{v}'));
  expect(hasDecision).toEqual([false, true, false, false]);
});

test('an answer that comes after its time is used, and the second call is ended', async () => {
  const first = Promise.withResolvers<VendorReply>();
  const read = await open(
    ({ number }) => {
      if (number === 1) return first.promise;
      first.resolve({ content: pageAnswer('Late.') });
      return new Promise(() => {});
    },
    { timeoutMs: 300 },
  );
  expect((await read()).page.body).toBe('Late.');
  expect(vendor.requests).toHaveLength(2);
});

test('a model that never answers is asked twice, not four times', async () => {
  const read = await open(() => new Promise(() => {}), { timeoutMs: 100 });
  await expect(read()).rejects.toThrow('did not answer in time');
  expect(vendor.requests).toHaveLength(2);
});

const doubtful = 'First line.\n\nThe \\unsure{cat} sat on \\unsure{$x_2$}.';
const lines = [
  { begins: 'First line', left: 0.1, top: 0.1, width: 0.8, height: 0.04 },
  { begins: 'The cat sat', left: 0.1, top: 0.3, width: 0.8, height: 0.04 },
];

test('a second look confirms or corrects, at the ink of the doubt', async () => {
  const spots = [
    { number: 1, latex: 'cat', is_sure: true },
    { number: 2, latex: '$x_{21}$', is_sure: true },
  ];
  const read = await open(
    ({ number }) => ({ content: number === 1 ? pageAnswer(doubtful, { lines }) : { spots } }),
    { looksAgain: true },
  );
  const { body, doubtful: left, places } = (await read()).page;
  expect(body).toBe('First line.\n\nThe cat sat on $x_{21}$.');
  expect(left.map(({ start, end, alternatives }) => [body.slice(start, end), alternatives])).toEqual([
    ['$x_{21}$', ['$x_2$']],
  ]);
  expect(places?.map(({ start, end }) => body.slice(start, end))).toEqual([
    'First line.',
    'The cat sat on $x_{21}$.',
  ]);
  const { text, pictures } = vendor.requests[1]!;
  expect(text).toContain('1: The ⟦cat⟧ sat on $x_2$.');
  const crop = await sharp(pictures[0]!).metadata();
  expect(crop.width / crop.height).toBeGreaterThan(5);
});

test.each([
  ['what it is not sure of', [{ number: 2, latex: '$y$', is_sure: false }]],
  ['what would not compile', [{ number: 2, latex: '$x_{2$', is_sure: true }]],
  ['text in place of a formula', [{ number: 2, latex: 'mat', is_sure: true }]],
  ['an answer in another form', 'I see nothing.'],
])('a second look changes nothing by %s', async (_what, spots) => {
  const read = await open(
    ({ number }) => ({ content: number === 1 ? pageAnswer(doubtful, { lines }) : { spots } }),
    { looksAgain: true },
  );
  const { body, doubtful: left } = (await read()).page;
  expect([body, left.length]).toEqual(['First line.\n\nThe cat sat on $x_2$.', 2]);
});
