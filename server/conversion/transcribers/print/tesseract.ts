import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Bitmap } from '../../page.ts';

/** Slowest page seen: 4 s on a slow core with a second language. */
const timeoutMs = 90_000;
const memoryLimitBytes = 2_000_000_000;
/** The hOCR of the densest page seen is 0.4 MB. */
const maxOutputBytes = 20_000_000;
const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/** Languages that setup/system-packages.txt brings, by their babel names. */
export const tesseractLanguages: Record<string, string> = {
  english: 'eng',
  french: 'fra',
  german: 'deu',
  spanish: 'spa',
  italian: 'ita',
};

export class TesseractFailed extends Error {}

/**
 * Reads a grey bitmap with the system's Tesseract, in a process bounded in time and memory.
 * @param language Tesseract's name, e.g. `eng`
 * @param dpi dots per inch the page is taken to have; Tesseract tells text from specks by it
 * @returns the page as hOCR
 * @throws TesseractFailed when it is missing, fails or takes too long; the signal's reason.
 */
export function runTesseract(
  grey: Bitmap,
  { language, dpi, signal }: { language: string; dpi: number; signal: AbortSignal },
): Promise<string> {
  const tesseract = ['tesseract', 'stdin', 'stdout', '-l', language, '--dpi', String(dpi), 'hocr'];
  const [command = '', ...args] = prlimitPath
    ? [prlimitPath, `--as=${memoryLimitBytes}`, '--core=0', '--', ...tesseract]
    : tesseract;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', OMP_THREAD_LIMIT: '1', ...pick(process.env, 'TESSDATA_PREFIX') },
      signal,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
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
    child.on('error', (error) =>
      reject(
        signal.aborted ? signal.reason : new TesseractFailed(`Tesseract did not start: ${error.message}`),
      ),
    );
    child.on('close', (code, killedBy) => {
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
