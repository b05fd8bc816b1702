/** A reader for tests: it takes some time and writes the page's number. Other behaviour can be scripted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TranscribeInput, Transcriber, Transcription } from '#reading/transcriber.ts';
import { pageWith } from './rig.ts';

export interface ScriptedTranscriber extends Transcriber {
  /** Page numbers in the order in which reading began. */
  readonly begun: number[];
  /** How a page is read; replaced by tests. */
  script: (input: TranscribeInput) => Promise<Transcription> | Transcription;
  /** Time per page, in ms. */
  delayMs: number;
}

export function writeNumber(input: TranscribeInput): Transcription {
  const { pageNumber } = input.hints;
  return { kind: 'transcribed', page: pageWith(`This is page ${pageNumber}: $x_{${pageNumber}}^2$.`) };
}

export function createScriptedTranscriber(): ScriptedTranscriber {
  return {
    id: 'vision-model',
    begun: [],
    script: writeNumber,
    delayMs: 0,
    async transcribe(input) {
      this.begun.push(input.hints.pageNumber);
      if (this.delayMs > 0) await sleep(this.delayMs, undefined, { signal: input.signal });
      return this.script(input);
    },
    async close() {},
  };
}
