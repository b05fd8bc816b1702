/** Stamps PDFs: the text is typeset by our engine, the stranger's PDF is opened in a separate process. */
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ApiError, invalidInput } from '#platform/errors.ts';
import { readTreeCpuMs } from '#platform/work/cpu-time.ts';
import { FairQueue } from '#platform/work/fair-queue.ts';
import { memoryAllowance } from '#platform/work/memory.ts';
import { takeTurn } from '#platform/work/take-turn.ts';
import { type WorkLimits, WorkStarved, watchWork } from '#platform/work/work-limit.ts';
import type { Typesetter } from '../typesetter.ts';
import { type Stamp, typesetStamp } from './typeset-stamp.ts';

interface StampJob {
  /** Path of the PDF. */
  file: string;
  text: string;
  /** 1: as large as fits well. */
  sizeScale: number;
  owner: string;
  signal: AbortSignal;
}

export interface Watermarker {
  /** @throws ApiError INVALID_INPUT, TOO_MANY_REQUESTS, BUSY */
  stamp(job: StampJob): Promise<Buffer>;
}

const limits: WorkLimits = { cpuMs: 30_000 };
const heapMegabytes = 768;
const dataBytes = 2_000_000_000;
const maxOutputBytes = 100_000_000;
/** In the range that job-ids.ts describes, and not used for compiles. */
const stampId = 61_164;

export function createWatermarker(typesetter: Typesetter): Watermarker {
  const queue = new FairQueue({
    concurrency: memoryAllowance().exports,
    // two PDFs that take long leave a slot for others
    maxRunningPerOwner: 1,
    maxWaitingPerOwner: 4,
    maxWaitingPerGroup: 16,
    maxWaiting: 64,
  });
  return {
    async stamp({ file, text, sizeScale, owner, signal }) {
      const stamp = await typesetStamp(typesetter, { text, owner, signal });
      const refusal = 'Too many PDFs are waiting for their watermark. Please try again shortly.';
      return takeTurn(queue, { owner, signal, refusal }, () => stampFile(file, stamp, sizeScale, signal));
    },
  };
}

async function stampFile(
  file: string,
  { pdf, lineCount }: Stamp,
  sizeScale: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const input = await open(file, 'r');
  try {
    const program = fileURLToPath(new URL('./stamp-process.ts', import.meta.url));
    const child = spawn(
      'prlimit',
      [
        ...[`--data=${dataBytes}`, `--cpu=${limits.cpuMs / 1000}`, '--fsize=0', '--core=0', '--'],
        ...[
          process.execPath,
          `--max-old-space-size=${heapMegabytes}`,
          program,
          String(sizeScale),
          String(lineCount),
          String(stampId),
        ],
      ],
      {
        stdio: [input.fd, 'pipe', 'ignore', 'pipe'],
        env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production' },
        cwd: '/',
      },
    );
    const kill = () => child.kill('SIGKILL');
    const { pid } = child;
    let isStarved = false;
    const clock = watchWork(
      limits,
      () => (pid === undefined ? null : readTreeCpuMs(pid)),
      (met) => {
        isStarved = met === 'starved';
        kill();
      },
    );
    signal.addEventListener('abort', kill, { once: true });
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout!.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxOutputBytes) kill();
        else chunks.push(chunk);
      });
      const descriptor = child.stdio[3] as NodeJS.WritableStream;
      // a child that dies early must not take this process down
      descriptor.on('error', () => {});
      descriptor.end(pdf);
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      });
      if (code === 0 && size <= maxOutputBytes) return Buffer.concat(chunks);
      throw isStarved ? new WorkStarved() : explain(code);
    } finally {
      clock.stop();
      signal.removeEventListener('abort', kill);
    }
  } finally {
    await input.close();
  }
}

/** The statuses are those of stamp-process.ts; any other end is the PDF's fault too. */
function explain(code: number | null): ApiError {
  switch (code) {
    case 10:
      return invalidInput('This PDF is encrypted. Remove its password, then send it again.');
    case 11:
      return invalidInput(
        'This file is not a PDF that can be read. Export or print it as PDF again, then send that.',
      );
    case 12:
      return invalidInput('This PDF has no pages.');
    default:
      return invalidInput('This PDF is too large or too intricate to stamp. Split it, then send the parts.');
  }
}
