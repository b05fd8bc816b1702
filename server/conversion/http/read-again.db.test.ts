// Pages read again because they were sideways or upside down: over HTTP, with a real worker, ledger and database.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TranscribeInput } from '#reading/transcriber.ts';
import type { ProcessResponse } from '#shared/api/conversion.ts';
import { writeNumber } from '../testing/scripted-transcriber.ts';
import { type Served, serveConversions, type User } from '../testing/serve.ts';
import { fourPages, openUpload, twoPages } from '../testing/uploads.ts';

let served: Served;
beforeAll(async () => {
  served = await serveConversions();
});
afterAll(() => served.close());

/** What the reader was given: page number and rotation. */
let given: (readonly [number, number | undefined])[];
beforeEach(() => {
  given = [];
  served.transcriber.script = (input: TranscribeInput) => {
    given.push([input.hints.pageNumber, input.source.turn]);
    return writeNumber(input);
  };
});

async function convert(person: User, file: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', await openUpload(file), 'notes.pdf');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const answer = await person.fetch('/api/v1/process', { method: 'POST', body: form });
  return { status: answer.status, body: (await answer.json()) as ProcessResponse & { error: string } };
}

test('the same pages are read again free of charge, turned from how they were shown', async () => {
  const person = served.user(2);
  const first = await convert(person, twoPages);
  expect([first.status, await person.credits()]).toEqual([200, 0]);
  expect(given.toSorted()).toEqual([
    [1, undefined],
    [2, undefined],
  ]);

  given = [];
  const second = await convert(person, twoPages, { again: first.body.conversion_id, turns: '2:90' });
  expect([second.status, await person.credits()]).toEqual([200, 0]);
  expect(given.toSorted()).toEqual([
    [1, undefined],
    [2, 1],
  ]);

  given = [];
  await convert(person, twoPages, { again: second.body.conversion_id, turns: '2:90' });
  expect(given.toSorted()).toEqual([
    [1, undefined],
    [2, 2],
  ]);
});

test('three times, then no more', async () => {
  const person = served.user(2);
  let { conversion_id: again } = (await convert(person, twoPages)).body;
  for (let times = 1; times <= 3; times++) {
    const { status, body } = await convert(person, twoPages, { again, turns: '1:90' });
    expect(status).toBe(200);
    again = body.conversion_id;
  }
  const fourth = await convert(person, twoPages, { again, turns: '1:90' });
  expect([fourth.status, fourth.body.error]).toEqual([400, expect.stringContaining('three times')]);
});

test('other pages, another person’s conversion and undelivered ones are not free', async () => {
  const person = served.user(6);
  const { conversion_id: again } = (await convert(person, twoPages)).body;
  const other = await convert(person, fourPages, { again });
  expect([other.status, other.body.error]).toEqual([400, expect.stringContaining('other pages')]);
  const part = await convert(person, twoPages, { again, end_page: '1' });
  expect(part.status).toBe(400);
  expect((await convert(served.user(6), twoPages, { again })).status).toBe(404);
  expect(await person.credits()).toBe(4);
});

test('a page can also be turned when it is first sent, at the normal price', async () => {
  const person = served.user(2);
  expect((await convert(person, twoPages, { turns: '1:180' })).status).toBe(200);
  expect(given.toSorted()).toEqual([
    [1, 2],
    [2, undefined],
  ]);
  expect(await person.credits()).toBe(0);
});
