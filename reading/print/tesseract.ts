import { spawn } from 'node:child_process';
import { canPause, endWithUs, prlimitPath } from '#platform/work/bound-command.ts';
import { readTreeCpuMs } from '#platform/work/cpu-time.ts';
import {
  type LimitMet,
  type WorkClock,
  type WorkLimits,
  WorkStarved,
  watchWork,
} from '#platform/work/work-limit.ts';
import type { Bitmap } from '../page.ts';
import { localOwner, pageQueue } from '../page-queue.ts';

/** Slowest page measured: 4 s of a slow core with a second language. */
const defaultLimits: WorkLimits = { cpuMs: 60_000 };
const memoryLimitBytes = 2_000_000_000;
/** The hOCR of the densest page measured is 0.4 MB. */
const maxOutputBytes = 20_000_000;

/** Languages installed by setup/system-packages.txt, by their babel names. */
export const tesseractLanguages: Record<string, string> = {
  english: 'eng',
  french: 'fra',
  german: 'deu',
  spanish: 'spa',
  italian: 'ita',
};

class TesseractFailed extends Error {}

export interface TesseractOptions {
  /** Tesseract's name, e.g. `eng`. */
  language: string;
  /** Assumed resolution of the page in dots per inch; Tesseract uses it to tell text from specks. */
  dpi: number;
  signal: AbortSignal;
  /** Whose queue it joins, as written by `queueOwner`. */
  owner?: string;
  /** Default: 60 s of CPU time. */
  limits?: WorkLimits;
}

/**
 * Reads a grey bitmap with the system's Tesseract, in a process with limits on CPU time and memory.
 * @returns the page as hOCR
 * @throws TesseractFailed if it is missing, fails or needs too much; WorkStarved; the signal's reason.
 */
export async function runTesseract(grey: Bitmap, options: TesseractOptions): Promise<string> {
  const { signal, owner = localOwner } = options;
  let pauseRun: (isPaused: boolean) => void = () => {};
  const work = () =>
    runInTurn(grey, options, (pause) => {
      pauseRun = pause;
    });
  const pause = (isPaused: boolean) => pauseRun(isPaused);
  return pageQueue().take(owner, signal, work, canPause ? { pause } : {});
}

function runInTurn(
  grey: Bitmap,
  { language, dpi, signal, limits = defaultLimits }: TesseractOptions,
  tellPause: (pause: (isPaused: boolean) => void) => void,
): Promise<string> {
  const tesseract = ['tesseract', 'stdin', 'stdout', '-l', language, '--dpi', String(dpi), 'hocr'];
  const { command, args } = endWithUs(
    prlimitPath ? [prlimitPath, `--as=${memoryLimitBytes}`, '--core=0', '--', ...tesseract] : tesseract,
  );
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', OMP_THREAD_LIMIT: '1', ...pick(process.env, 'TESSDATA_PREFIX') },
      signal,
      killSignal: 'SIGKILL',
    });
    let met: LimitMet | null = null;
    const { pid } = child;
    const clock: WorkClock = watchWork(
      limits,
      () => (pid === undefined ? null : readTreeCpuMs(pid)),
      (limit) => {
        met = limit;
        child.kill('SIGKILL');
      },
    );
    tellPause((isPaused) => {
      clock.pause(isPaused);
      child.kill(isPaused ? 'SIGSTOP' : 'SIGCONT');
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-500);
    });
    child.on('error', (error) => {
      clock.stop();
      reject(
        signal.aborted ? signal.reason : new TesseractFailed(`Tesseract did not start: ${error.message}`),
      );
    });
    child.on('close', (code, killedBy) => {
      clock.stop();
      if (met === 'starved') return reject(signal.aborted ? signal.reason : new WorkStarved());
      if (code === 0) return resolve(Buffer.concat(chunks).toString('utf8'));
      reject(
        signal.aborted
          ? signal.reason
          : new TesseractFailed(`Tesseract ended with ${killedBy ?? code}: ${complaint}`),
      );
    });
    child.stdin.on('error', () => {}); // it may end before it has read everything
    child.stdin.write(`P5\n${grey.width} ${grey.height}\n255\n`);
    child.stdin.end(grey.data);
  });
}

function pick(env: NodeJS.ProcessEnv, name: string): Record<string, string> {
  const value = env[name];
  return value === undefined ? {} : { [name]: value };
}
