/**
 * The vision-model reader: sends a page's picture to the configured model, and returns its answer as a page body. If an
 * answer was cut off or repeats itself, the page is sent again in two halves, down to quarters.
 */
import type { LanguageModel } from 'ai';
import { askModel, type ModelAnswer } from '#platform/ai/ask-model.ts';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { Warning } from '#shared/api/errors.ts';
import type { InkReader } from '../ink/reader.ts';
import { type PagePicture, type PreparedPage, type Quarters, wholePage } from '../page.ts';
import { encodeForModel } from '../pages/decode/encode-jpeg.ts';
import type { KnownLine } from '../positions/align-text.ts';
import type { OwnWords, TextLayerReader } from '../text-layer/reader.ts';
import type { TranscribeInput, Transcriber, Transcription } from '../transcriber.ts';
import { CarriedNotation } from './carried-notation.ts';
import { joinParts, type ReadPart } from './join-parts.ts';
import { cropRows, decodeJpeg, findCut } from './pictures.ts';
import { PageAnswer, writeInstructions, writeRequest } from './prompt.ts';
import { findAnswer } from './read-answer.ts';
import { lookAgain } from './second-look.ts';

export interface VisionOptions {
  model: LanguageModel;
  /** Reads a PDF page's own text, as a hint for the model. Closed with the reader. */
  textLayer?: Pick<TextLayerReader, 'readWords' | 'close'>;
  /**
   * Reads the lines of a page if the model did not return their boxes, to find them by their words. Closed with the
   * reader.
   */
  ink?: InkReader | null;
  /** Whether lines with a doubt are shown to the model once more, enlarged. */
  looksAgain?: boolean;
  /** Time limit of one call, in ms. A dense page takes a large model up to a minute. */
  timeoutMs?: number;
  attempts?: number;
  /** Called with the usage of each call, to count costs. */
  onUsage?: ((usage: { input: number; output: number }) => void) | undefined;
  /** Shared with all other requests to this vendor. */
  gate?: VendorGate;
}

/** A dense A4 page is about 2,000 tokens of LaTeX; the rest is for models whose reasoning counts. */
const maxOutputTokens = 16_000;
/** A vendor outage shorter than this only delays a page, in ms. */
const maxOutageMs = 120_000;
const turnedWarning: Warning = {
  code: 'PAGE_TURNED',
  message: 'The page lay on its side or upside down and was turned.',
};
const unsureWarning: Warning = {
  code: 'ORIENTATION_UNSURE',
  message: 'It is not clear which way up this page is. If it is the wrong way round, turn it.',
};

/** How often a page is halved before it fails: 2 gives quarters. */
const deepestCut = 2;

export function createVisionTranscriber(options: VisionOptions): Transcriber {
  const gate = options.gate ?? new VendorGate();
  const closing = new AbortController();
  const gathered = new Map<string, Promise<OwnWords | null>>();
  const carried = new CarriedNotation();
  const keyOf = ({ source }: TranscribeInput) => `${source.path}#${source.index}`;
  return {
    id: 'vision-model',
    async gather(input) {
      const key = keyOf(input);
      const text = readTextLayer(options.textLayer, input);
      gathered.set(key, text);
      input.signal.addEventListener('abort', () => gathered.delete(key), { once: true });
      // tried again when the page is read
      await text.catch(() => gathered.delete(key));
    },
    async transcribe(input) {
      const signal = AbortSignal.any([input.signal, closing.signal]);
      const key = keyOf(input);
      const textLayer = gathered.get(key) ?? readTextLayer(options.textLayer, input);
      gathered.delete(key);
      return await transcribePage({ ...options, gate, carried }, { ...input, signal }, await textLayer);
    },
    async close() {
      closing.abort(new Error('the reader is closing'));
      await Promise.all([options.textLayer?.close(), options.ink?.close()]);
    },
  };
}

export type Reader = VisionOptions & { gate: VendorGate; carried: CarriedNotation };

type PartOutcome = { kind: 'read'; parts: ReadPart[] } | Exclude<Transcription, { kind: 'transcribed' }>;

async function transcribePage(
  reader: Reader,
  input: TranscribeInput,
  textLayer: OwnWords | null,
): Promise<Transcription> {
  const given = await input.picture();
  const wholePart: Part = { top: 0, bottom: 1, depth: 0, name: null, mayTurn: given.turn !== undefined };
  let picture = given;
  let outcome = await readPart(reader, input, picture, textLayer?.body ?? null, wholePart);
  const quarters = turnAskedFor(outcome);
  if (given.turn && quarters !== 0) {
    picture = await given.turn(quarters);
    const part = { ...wholePart, mayTurn: false };
    outcome = await readPart(reader, input, picture, textLayer?.body ?? null, part);
  }
  if (outcome.kind !== 'read') return outcome;
  const { parts } = outcome;
  if (parts.some((part) => part.answer.is_published_material))
    return { kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' };
  for (const { answer } of parts) reader.carried.add(input.hints.document, answer.notation);
  const lines = () => readInkLines(reader, input, picture);
  const joined = await joinParts(parts, picture, input, textLayer?.lines ?? [], lines);
  const page = reader.looksAgain ? await lookAgain(reader, input, joined, picture) : joined;
  if (picture === given) return { kind: 'transcribed', page };
  const warning = turnAskedFor(outcome) === 0 ? turnedWarning : unsureWarning;
  return {
    kind: 'transcribed',
    page: { ...page, warnings: [{ ...warning, page: input.hints.pageNumber }, ...page.warnings] },
    turned: { picture, turn: quarters },
  };
}

/** The rotation that a model requests after seeing the whole page. */
function turnAskedFor(outcome: PartOutcome): Quarters {
  const answer = outcome.kind === 'read' && outcome.parts.length === 1 ? outcome.parts[0]!.answer : null;
  const quarters = (answer?.turn ?? 0) / 90;
  return quarters === 1 || quarters === 2 || quarters === 3 ? quarters : 0;
}

/**
 * The lines as read by our own reader; none if there are no weights, or if it fails: places are then found by the ink.
 */
async function readInkLines(
  { ink }: Reader,
  { hints, signal }: TranscribeInput,
  picture: PagePicture,
): Promise<KnownLine[]> {
  if (!ink || picture.origin === 'render') return [];
  const read = await ink.read(await wholePage(picture), hints.pageNumber, signal, hints.owner);
  return (read?.lines ?? []).map(({ box, tokens }) => ({
    box,
    text: tokens.map(({ token }) => token).join(''),
  }));
}

/** Null for pictures, and for PDFs whose text is unreliable. */
async function readTextLayer(
  textLayer: VisionOptions['textLayer'],
  input: TranscribeInput,
): Promise<OwnWords | null> {
  if (!textLayer || input.source.kind !== 'pdf' || input.source.turn) return null;
  const words = await textLayer.readWords(input);
  input.signal.throwIfAborted();
  return words;
}

interface Part {
  top: number;
  bottom: number;
  depth: number;
  name: string | null;
  /** Whether the model may request a rotation of the page. */
  mayTurn: boolean;
}

async function readPart(
  reader: Reader,
  input: TranscribeInput,
  picture: PagePicture,
  textLayer: string | null,
  part: Part,
): Promise<PartOutcome> {
  const cropped = async () => cropRows((await pixelsFor(picture)).bitmap, part.top, part.bottom);
  const jpeg =
    part.depth === 0 && picture.forModel ? picture.forModel : await encodeForModel(await cropped());
  const answer = await ask(reader, input, jpeg, part.depth === 0 ? textLayer : null, part);
  switch (answer.kind) {
    case 'answered':
      return { kind: 'read', parts: [{ ...part, answer: answer.value }] };
    case 'text': {
      const found = findAnswer(answer.text);
      if (found) return { kind: 'read', parts: [{ ...part, answer: found }] };
      // neither the requested format nor LaTeX: try again, because a model's answers vary
      const again = await ask(reader, input, jpeg, textLayer, part);
      const second =
        again.kind === 'answered' ? again.value : again.kind === 'text' ? findAnswer(again.text) : null;
      if (second) return { kind: 'read', parts: [{ ...part, answer: second }] };
      return {
        kind: 'failed',
        message: 'The model did not answer with LaTeX for this page.',
        retryable: true,
      };
    }
    case 'truncated':
    case 'looping': {
      const crop = await cropped();
      if (part.depth >= deepestCut || crop.height < 120)
        return { kind: 'failed', message: 'The model could not finish this page.', retryable: true };
      const cut = part.top + (findCut(crop) / crop.height) * (part.bottom - part.top);
      const halves: Part[] = [
        {
          ...part,
          mayTurn: false,
          bottom: cut,
          depth: part.depth + 1,
          name: part.name ? `top of the ${part.name}` : 'upper part',
        },
        {
          ...part,
          mayTurn: false,
          top: cut,
          depth: part.depth + 1,
          name: part.name ? `bottom of the ${part.name}` : 'lower part',
        },
      ];
      const parts: ReadPart[] = [];
      for (const half of halves) {
        const outcome = await readPart(reader, input, picture, textLayer, half);
        if (outcome.kind !== 'read') return outcome;
        parts.push(...outcome.parts);
      }
      return { kind: 'read', parts };
    }
    case 'refused':
      return { kind: 'failed', message: 'The model refused to read this page.', retryable: false };
    case 'unavailable':
      return {
        kind: 'failed',
        message: `The reader is out of reach: ${answer.message}.`,
        retryable: answer.retryable,
        ...(answer.isVendorDown ? { isVendorDown: true } : {}),
      };
  }
}

/** The picture from which parts are cut; for a photo the gently evened one, of which only the model's JPEG is kept. */
async function pixelsFor(picture: PagePicture): Promise<Pick<PreparedPage, 'bitmap'>> {
  const isGentle = picture.origin !== 'render' && picture.forModel !== undefined;
  return isGentle ? { bitmap: await decodeJpeg(picture.forModel!) } : await wholePage(picture);
}

async function ask(
  reader: Reader,
  input: TranscribeInput,
  jpeg: Uint8Array,
  textLayer: string | null,
  { name, mayTurn, depth }: Part,
): Promise<ModelAnswer<PageAnswer>> {
  const carried = reader.carried.of(input.hints.document);
  const isTurned = depth === 0 && !mayTurn && input.source.turn === undefined;
  return await askModel({
    model: reader.model,
    instructions: writeInstructions(input.hints, mayTurn),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: writeRequest(input.hints, { textLayer, name, carried, isTurned }) },
          { type: 'file', data: jpeg, mediaType: 'image/jpeg' },
        ],
      },
    ],
    schema: PageAnswer,
    maxOutputTokens,
    timeoutMs: reader.timeoutMs ?? 120_000,
    attempts: reader.attempts,
    signal: input.signal,
    gate: reader.gate,
    onUsage: reader.onUsage,
    maxOutageMs,
  });
}
