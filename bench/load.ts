/**
 * Twenty people compile over HTTP, each from a different address, with and without a twenty-first who sends a
 * hundred documents at once: how much longer do the others wait?
 */
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '#reading/box.ts';
import { serveRoutes } from '#server/compile/testing/serve-routes.ts';
import { createRandom } from '../test-support/random.ts';
import type { Measurement } from './support/measurement.ts';
import { documents, makeWord } from './typesetting/documents.ts';

const people = 20;
const documentsEach = 4;
const greedyDocuments = 100;
/** Pause between two documents of one person, random up to twice this. */
const pauseMs = Number(process.env.LOAD_PAUSE_MS ?? 12_000);

interface Answer {
  status: number;
  ms: number;
  retryAfter: string | undefined;
}

export async function measure(): Promise<Measurement> {
  const served = await serveRoutes();
  try {
    const idle: Answer[] = [];
    for (let count = 0; count < 12; count++) idle.push(await send(served.address, 2, mixed(count)));
    const alone = await crowd(served.address, 1);
    const flood = Array.from({ length: greedyDocuments }, (_, count) =>
      send(served.address, 250, mixed(count)),
    );
    const crowded = await crowd(served.address, 2);
    const greedy = await Promise.all(flood);
    const typical = (answers: readonly Answer[]) => median(answers.map(({ ms }) => ms));
    const slowest = (answers: readonly Answer[]) => Math.max(...answers.map(({ ms }) => ms));
    const tell = (answers: readonly Answer[]) =>
      `median ${typical(answers).toFixed(0)} ms, slowest ${slowest(answers).toFixed(0)} ms; ${countStatuses(answers)}`;
    const refused = greedy.filter(({ status }) => status === 429 || status === 503);
    return {
      ratio: typical(crowded) / typical(alone),
      baseline: 'the same twenty without the hundred',
      details: {
        'one person, nobody else': tell(idle),
        'twenty people': `${tell(alone)}; ${(typical(alone) / typical(idle)).toFixed(2)} of idle`,
        'twenty people during a hundred documents of one': `${tell(crowded)}; ${(typical(crowded) / typical(idle)).toFixed(2)} of idle`,
        'the hundred': tell(greedy),
        'refused ones that say when to come back': `${refused.filter(({ retryAfter }) => Number(retryAfter) > 0).length} of ${refused.length}`,
      },
    };
  } finally {
    await served.close();
  }
}

let wordCount = 0;

/** Mostly single pages, sometimes a long document; never the same twice. */
function mixed(count: number): string {
  const document = documents[[0, 1, 0, 3, 0, 1][count % 6]!]!;
  const next = () => makeWord(wordCount++);
  return document.write({ start: next(), middle: next(), end: next() }).latex;
}

async function crowd(address: string, seed: number): Promise<Answer[]> {
  const person = async (number: number): Promise<Answer[]> => {
    const { next: random } = createRandom(seed * 1_000 + number);
    const answers: Answer[] = [];
    for (let count = 0; count < documentsEach; count++) {
      await wait(random() * 2 * pauseMs);
      answers.push(await send(address, 10 + number, mixed(number + count)));
    }
    return answers;
  };
  return (await Promise.all(Array.from({ length: people }, (_, number) => person(number)))).flat();
}

/** Compiles over HTTP as somebody at 127.0.0.`host`. */
function send(address: string, host: number, latex: string): Promise<Answer> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(`${address}/api/v1/compile`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      localAddress: `127.0.0.${host}`,
    });
    call.on('error', reject);
    call.on('response', (response) => {
      response.resume();
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          ms: performance.now() - startedMs,
          retryAfter: response.headers['retry-after'],
        }),
      );
    });
    call.end(JSON.stringify({ latex }));
  });
}

function countStatuses(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} answered ${status}`).join(', ');
}
