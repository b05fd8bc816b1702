// A person's own macros and notation from a page to its document: real routes, worker, vision reader, engine.
import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notation } from '#latex/assemble/personal-preamble.ts';
import { openModel } from '#platform/ai/open-model.ts';
import { createVisionTranscriber } from '#reading/vision/reader.ts';
import type { ProcessResponse } from '#shared/api/conversion.ts';
import { pageAnswer, startVendor, type Vendor } from '../../../test-support/stand-ins/vendor-stand-in.ts';
import { personalPreambles } from '../../library/schema.ts';
import { type Served, serveConversions, type User } from '../testing/serve.ts';

const notes = path.join(import.meta.dirname, '../../../fixtures/pdf/probability-table.pdf');

let served: Served;
let vendor: Vendor;
let answer = '';
beforeAll(async () => {
  served = await serveConversions();
  vendor = await startVendor(() => ({ content: pageAnswer(answer) }));
  const reader = createVisionTranscriber({
    model: openModel({ AI_MODEL: 'stand-in', AI_BASE_URL: vendor.url })!,
  });
  served.transcriber.script = (input) => reader.transcribe(input);
});
afterAll(async () => {
  await served.close();
  await vendor.close();
});

async function keep(person: User, preamble: string, notation: Notation[]): Promise<void> {
  await served.rig.db
    .insert(personalPreambles)
    .values({ userId: await person.id(), version: 1, preamble, notation });
}

async function convert(person: User): Promise<ProcessResponse> {
  const form = new FormData();
  form.append('file', await openAsBlob(notes), 'notes.pdf');
  const sent = await person.fetch('/api/v1/process', { method: 'POST', body: form });
  expect(sent.status).toBe(200);
  return (await sent.json()) as ProcessResponse;
}

test('the reader is given the notation, and the document defines it', { timeout: 60_000 }, async () => {
  const ada = served.user();
  await keep(ada, '\\newcommand{\\norm}[1]{\\lVert #1\\rVert}', [
    { command: '\\R', latex: '\\mathbb{R}', meaning: 'the real numbers' },
  ]);
  answer = 'For all $x\\in\\R$ we have $\\norm{x}\\ge 0$.';
  const { latex, warnings } = await convert(ada);
  expect(vendor.requests.at(-1)!.text).toContain('\\R = \\mathbb{R}: the real numbers');
  expect(latex).toContain('\\providecommand{\\R}{\\mathbb{R}}');
  expect(latex).toContain('For all $x\\in\\R$ we have $\\norm{x}\\ge 0$.');
  expect(warnings).toEqual([]);
});

test('a macro that clashes with the page is dropped, and the document compiles', {
  timeout: 60_000,
}, async () => {
  const ada = served.user();
  // siunitx defines the first; the second is an operator that LaTeX already has
  await keep(ada, '\\newcommand{\\qty}[1]{(#1)}\n\\DeclareMathOperator{\\sin}{Sin}', [
    { command: '\\SI', latex: '\\mathrm{SI}', meaning: '' },
  ]);
  answer = 'A length of \\qty{3}{\\metre}, or \\SI{4}{\\kilo\\gram}, and $\\sin x$.';
  const { latex, pdf_base64 } = await convert(ada);
  expect(latex).toContain('\\qty{3}{\\metre}');
  expect(latex).toContain('{siunitx}');
  expect(Buffer.from(pdf_base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
});

test('nobody gets another user’s', async () => {
  answer = 'Nothing of note.';
  const { latex } = await convert(served.user());
  expect(vendor.requests.at(-1)!.text).not.toContain('<notation>');
  expect(latex).not.toContain('providecommand');
});
