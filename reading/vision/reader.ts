/**
 * The vision-model reader: a page's picture goes to the configured model, its answer comes back as a page body.
 * An answer that was cut or went round in circles is asked for again in two halves, down to quarters of a page.
 */
import type { LanguageModel } from 'ai';
import { askModel, type ModelAnswer } from '#platform/ai/ask-model.ts';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { Warning } from '#shared/api/errors.ts';
import { type PagePicture, wholePage } from '../page.ts';
import { encodeForModel } from '../pages/decode/encode-jpeg.ts';
import type { KnownLine } from '../positions/align-text.ts';
import { placeByOwnText, placeByPicture } from '../positions/place-page.ts';
import type { TextLayerReader } from '../text-layer/reader.ts';
import type {
  CroppedFigure,
  TranscribedPage,
  TranscribeInput,
  Transcriber,
  Transcription,
} from '../transcriber.ts';
import { cropFigure, cropRows, findCut } from './pictures.ts';
import { PageAnswer, writeInstructions, writeRequest } from './prompt.ts';
import { findAnswer, mendControlCharacters, splitDocument, takeDoubt } from './read-answer.ts';

interface VisionOptions {
  model: LanguageModel;
  /** Reads what a PDF page says of itself, as a hint for the model. Closed with the reader. */
  textLayer?: Pick<TextLayerReader, 'read' | 'close'>;
  /** Time limit of one attempt, in ms. A dense page takes a large model up to a minute. */
  timeoutMs?: number;
  attempts?: number;
  /** Shared with all other requests to this vendor. */
  gate?: VendorGate;
}

/** A dense A4 page is about 2,000 tokens of LaTeX; the rest is room for models that count their thinking. */
const maxOutputTokens = 16_000;
/** A vendor outage shorter than this only delays a page, in ms. */
const patienceMs = 120_000;
/** How often a page is halved before it fails: 2 gives quarters. */
const deepestCut = 2;

const languageNames: Record<string, string> = {
  en: 'english',
  fr: 'french',
  de: 'ngerman',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  pl: 'polish',
};

export function createVisionTranscriber(options: VisionOptions): Transcriber {
  const gate = options.gate ?? new VendorGate();
  const closing = new AbortController();
  const gathered = new Map<string, Promise<OwnText | null>>();
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
      return await transcribePage({ ...options, gate }, { ...input, signal }, await textLayer);
    },
    async close() {
      closing.abort(new Error('the reader is closing'));
      await options.textLayer?.close();
    },
  };
}

type Reader = VisionOptions & { gate: VendorGate };

/** A part of the page from `top` to `bottom` (shares of its height) and the model's answer for it. */
interface ReadPart {
  top: number;
  bottom: number;
  answer: PageAnswer;
}

type PartOutcome = { kind: 'read'; parts: ReadPart[] } | Exclude<Transcription, { kind: 'transcribed' }>;

async function transcribePage(
  reader: Reader,
  input: TranscribeInput,
  textLayer: OwnText | null,
): Promise<Transcription> {
  const picture = await input.picture();
  const outcome = await readPart(reader, input, picture, textLayer?.body ?? null, {
    top: 0,
    bottom: 1,
    depth: 0,
    name: null,
  });
  if (outcome.kind !== 'read') return outcome;
  if (outcome.parts.some((part) => part.answer.is_published_material))
    return { kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' };
  return {
    kind: 'transcribed',
    page: await joinParts(outcome.parts, picture, input, textLayer?.lines ?? []),
  };
}

/** The page's text from its own glyphs. */
interface OwnText {
  body: string;
  lines: KnownLine[];
}

/** Null for pictures, and for PDFs whose text is unreliable. */
async function readTextLayer(
  textLayer: VisionOptions['textLayer'],
  input: TranscribeInput,
): Promise<OwnText | null> {
  if (!textLayer || input.source.kind !== 'pdf') return null;
  const result = await textLayer.read(input);
  input.signal.throwIfAborted();
  return result.kind === 'transcribed' ? { body: result.page.body, lines: result.lines } : null;
}

interface Part {
  top: number;
  bottom: number;
  depth: number;
  name: string | null;
}

async function readPart(
  reader: Reader,
  input: TranscribeInput,
  picture: PagePicture,
  textLayer: string | null,
  part: Part,
): Promise<PartOutcome> {
  const cropped = async () => cropRows((await wholePage(picture)).bitmap, part.top, part.bottom);
  const jpeg =
    part.depth === 0 && picture.forModel ? picture.forModel : await encodeForModel(await cropped());
  const answer = await ask(reader, input, jpeg, part.depth === 0 ? textLayer : null, part.name);
  switch (answer.kind) {
    case 'answered':
      return { kind: 'read', parts: [{ ...part, answer: answer.value }] };
    case 'text': {
      const found = findAnswer(answer.text);
      if (found) return { kind: 'read', parts: [{ ...part, answer: found }] };
      // not the asked shape, and no LaTeX in it: once more, since models differ from one answer to the next
      const again = await ask(reader, input, jpeg, textLayer, part.name);
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
          top: part.top,
          bottom: cut,
          depth: part.depth + 1,
          name: part.name ? `top of the ${part.name}` : 'upper part',
        },
        {
          top: cut,
          bottom: part.bottom,
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
        ...(answer.isVendorAway ? { isVendorAway: true } : {}),
      };
  }
}

async function ask(
  reader: Reader,
  input: TranscribeInput,
  jpeg: Uint8Array,
  textLayer: string | null,
  partName: string | null,
): Promise<ModelAnswer<PageAnswer>> {
  return await askModel({
    model: reader.model,
    instructions: writeInstructions(input.hints),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: writeRequest(input.hints, textLayer, partName) },
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
    patienceMs,
  });
}

async function joinParts(
  parts: ReadPart[],
  picture: PagePicture,
  input: TranscribeInput,
  knownLines: readonly KnownLine[],
): Promise<TranscribedPage> {
  const page = input.hints.pageNumber;
  const warnings: Warning[] = picture.warnings.map((warning) => ({ ...warning, page }));
  const packages: TranscribedPage['packages'] = [];
  const figures: CroppedFigure[] = [];
  let marked = '';
  for (const [index, part] of parts.entries()) {
    const document = splitDocument(mendControlCharacters(part.answer.latex));
    packages.push(...document.packages, ...part.answer.packages.map((name) => ({ name })));
    const body = await placeFigures(document.body, part, picture, page, figures, warnings);
    const joint = index === 0 ? '' : part.answer.starts_in_mid_sentence ? ' ' : '\n\n';
    marked += joint + body;
  }
  const first = parts[0]!.answer;
  const last = parts.at(-1)!.answer;
  const { body, doubtful } = takeDoubt(marked);
  const read = {
    body,
    packages: dedupe(packages),
    preamble: [],
    ...(first.title
      ? {
          title: {
            title: first.title,
            ...(first.author ? { author: first.author } : {}),
            ...(first.date ? { date: first.date } : {}),
          },
        }
      : {}),
    ...(first.language && languageNames[first.language.slice(0, 2).toLowerCase()]
      ? { layout: { language: languageNames[first.language.slice(0, 2).toLowerCase()]! } }
      : {}),
    figures,
    warnings,
    doubtful,
    startsParagraph: !first.starts_in_mid_sentence,
    endsParagraph: !last.ends_in_mid_sentence,
  };
  return (
    placeByOwnText(read, knownLines) ??
    placeByPicture(read, picture.inkLines ?? (await wholePage(picture)).inkLines ?? [])
  );
}

/** Puts crops where the body names drawings; a drawing without a usable box, or a box without a place, is said so. */
async function placeFigures(
  latex: string,
  part: ReadPart,
  picture: PagePicture,
  page: number,
  figures: CroppedFigure[],
  warnings: Warning[],
): Promise<string> {
  const partHeight = part.bottom - part.top;
  const names = new Map<number, string | null>();
  for (const [index, drawing] of part.answer.drawings.entries()) {
    const { bitmap } = await wholePage(picture);
    const box = {
      left: drawing.left,
      width: drawing.width,
      top: part.top + drawing.top * partHeight,
      height: drawing.height * partHeight,
    };
    const crop = await cropFigure(bitmap, box);
    const name = crop ? `figure-p${page}-${figures.length + 1}.png` : null;
    if (crop) figures.push({ name: name!, ...crop });
    names.set(index + 1, name);
  }
  const placed = new Set<number>();
  let body = latex.replace(
    /\\includegraphics\s*(?:\[[^\]]*\])?\s*\{([^}]*)\}/g,
    (_command, target: string) => {
      const number = Number(/^drawing-(\d+)(?:\.\w+)?$/.exec(target.trim())?.[1]);
      const name = names.get(number);
      if (name) {
        placed.add(number);
        return includeFigure(name);
      }
      warnings.push({
        code: 'DRAWING_MISSING',
        message: 'A drawing on this page could not be cut out; its place is marked.',
        page,
      });
      return '[drawing]';
    },
  );
  for (const [number, name] of names) {
    if (!name || placed.has(number)) continue;
    warnings.push({
      code: 'DRAWING_AT_END',
      message: 'The place of a drawing is not known; it stands at the end of its page.',
      page,
    });
    body += `\n\n${includeFigure(name)}`;
  }
  return body;
}

function includeFigure(name: string): string {
  return `\\includegraphics[width=0.6\\linewidth,height=0.4\\textheight,keepaspectratio]{${name}}`;
}

/** One use a package; the first that names options wins. Names that are no package names are dropped. */
function dedupe(packages: TranscribedPage['packages']): TranscribedPage['packages'] {
  const byName = new Map<string, { name: string; options?: string }>();
  for (const use of packages) {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(use.name)) continue;
    const known = byName.get(use.name);
    if (!known || (!known.options && use.options)) byName.set(use.name, use);
  }
  return [...byName.values()];
}
