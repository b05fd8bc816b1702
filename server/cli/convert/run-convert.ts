/**
 * Runs `inkproof convert`: files in, NAME.tex and NAME.pdf out. Needs no server or database, and works next to
 * a running server.
 */
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { callLimitMs } from '#platform/ai/open-model.ts';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import { parseEnv } from '#platform/env.ts';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { type Part, silentOutages } from '#platform/outages.ts';
import { limitMemory } from '#platform/work/memory.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { DoubtForm } from '#shared/api/exchange.ts';
import { maxFileBytes } from '#shared/api/limits.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { createRepairer } from '../../assistant/index.ts';
import {
  type ConvertResult,
  convertFiles,
  openStations,
  type PageRange,
  type ReaderId,
} from '../../conversion/index.ts';
import { createProgressDisplay } from './convert-progress.ts';
import { type ConvertReport, describeDoubt, listDoubts } from './list-doubts.ts';
import { withMarks } from './with-marks.ts';
import { writeOutputs } from './write-outputs.ts';

export interface ConvertFlags {
  output: string;
  pages: PageRange;
  reader?: ReaderId;
  drawings: 'figure' | 'tikz';
  doubts: DoubtForm;
  json: boolean;
  force: boolean;
}

/** Exit codes for scripts: 0 done, 1 not converted, 3 written without some pages, 130 interrupted. */
const exitCodes = { failed: 1, partly: 3, interrupted: 130 } as const;

/** Converts, writes the outputs and reports. @returns the exit code */
export async function runConvert(files: string[], flags: ConvertFlags): Promise<number> {
  const interrupted = new AbortController();
  const handleSignal = () => interrupted.abort(new Error('interrupted'));
  process.once('SIGINT', handleSignal);
  process.once('SIGTERM', handleSignal);
  const display = createProgressDisplay(process.stderr);
  try {
    await checkFiles(files);
    const result = await convert(files, flags, interrupted.signal, display.show);
    display.end();
    if (result.kind === 'failed') {
      printError(result.error);
      return exitCodes.failed;
    }
    const { document, missingPages } = result;
    const name = path.parse(files[0]!).name;
    const written = await writeOutputs({
      document,
      folder: flags.output,
      name,
      inputs: files,
      shouldReplace: flags.force,
    });
    const doubtful = listDoubts(document.latex, document.doubtful, document.lines);
    if (flags.json) {
      const { warnings, pages } = document;
      const report: ConvertReport = {
        files: written,
        pages,
        missing_pages: missingPages,
        warnings,
        doubtful,
      };
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    } else {
      for (const { message, page } of document.warnings)
        process.stderr.write(`warning${page ? ` (page ${page})` : ''}: ${message}\n`);
      for (const doubt of doubtful) process.stderr.write(`${describeDoubt(doubt)}\n`);
      for (const file of written) process.stdout.write(`${file}\n`);
    }
    return missingPages.length > 0 ? exitCodes.partly : 0;
  } catch (error) {
    display.end();
    if (interrupted.signal.aborted) {
      process.stderr.write('Interrupted; nothing was written.\n');
      return exitCodes.interrupted;
    }
    if (!(error instanceof ApiError)) throw error;
    printError(error.toObject());
    return exitCodes.failed;
  } finally {
    process.off('SIGINT', handleSignal);
    process.off('SIGTERM', handleSignal);
  }
}

async function convert(
  files: string[],
  flags: ConvertFlags,
  signal: AbortSignal,
  onProgress: Parameters<typeof convertFiles>[0]['onProgress'],
): Promise<ConvertResult> {
  const env = parseEnv(process.env);
  limitMemory(env.MEMORY_LIMIT);
  const logger = pino({ level: env.LOG_LEVEL === 'info' ? 'fatal' : env.LOG_LEVEL }, pino.destination(2));
  const typesetter = await createTypesetter({
    concurrency: env.COMPILE_CONCURRENCY,
    workDir: path.join(os.tmpdir(), `inkproof-work-${process.getuid?.() ?? 0}`),
    strategies: env.TYPESETTER === 'auto' ? undefined : [env.TYPESETTER],
  });
  try {
    if (typesetter.refusal !== null) throw new ApiError('BUSY', { message: typesetter.refusal });
    // the person at the terminal has set the key, so they are told why as well
    const outages = {
      ...silentOutages,
      failed: (_part: Part, reason: string) => void process.stderr.write(`${reason}\n`),
    };
    const gate = new VendorGate(outages);
    const repairer = createRepairer(env, { gate, timeoutMs: callLimitMs(env) });
    const stations = openStations({ env, reader: flags.reader, typesetter, repairer, gate, logger });
    try {
      const result = await convertFiles({
        files: files.map((file) => ({ path: path.resolve(file), displayName: path.basename(file) })),
        range: flags.pages,
        drawings: flags.drawings,
        stations,
        readConcurrency: env.READ_CONCURRENCY,
        onProgress,
        signal,
      });
      if (result.kind === 'failed' || flags.doubts === 'none') return result;
      const document = await withMarks(result.document, flags.doubts, typesetter, signal);
      return { ...result, document };
    } finally {
      await stations.close();
    }
  } finally {
    await typesetter.close();
  }
}

/** @throws ApiError INVALID_INPUT for a file that does not exist, is a folder, or is too large */
async function checkFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch(() => null);
    if (!found) throw invalidInput(`${file}: the file does not exist or cannot be read.`);
    if (!found.isFile()) throw invalidInput(`${file} is not a file.`);
    if (found.size > maxFileBytes)
      throw invalidInput(
        `${file} is larger than ${maxFileBytes / 1_000_000} MB. Split it, or scan it smaller.`,
      );
  }
}

function printError(error: ErrorObject): void {
  process.stderr.write(`error: ${error.error} [${error.code}]\n`);
  for (const { message } of error.warnings ?? []) process.stderr.write(`  ${message}\n`);
}
