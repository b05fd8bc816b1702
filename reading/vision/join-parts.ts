/** Joins the answers for a page's parts to one body: cuts out figures, and finds doubts and places. */
import { listCommands } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { applySplices, type Splice } from '#latex/source/splice.ts';
import type { Warning } from '#shared/api/errors.ts';
import { type PagePicture, wholePage } from '../page.ts';
import type { KnownLine } from '../positions/align-text.ts';
import { placeByOwnText, placeByPicture } from '../positions/place-page.ts';
import type { CroppedFigure, TranscribedPage, TranscribeInput } from '../transcriber.ts';
import { toPageBoxes } from './line-boxes.ts';
import { cropFigure } from './pictures.ts';
import type { PageAnswer } from './prompt.ts';
import { repairControlCharacters, splitDocument, takeDoubt } from './read-answer.ts';

/** A part of the page from `top` to `bottom` (shares of its height) and the model's answer for it. */
export interface ReadPart {
  top: number;
  bottom: number;
  answer: PageAnswer;
}

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

/** Lines of ink with their text as read by our own reader. */
export type ReadLines = () => Promise<KnownLine[]>;

/**
 * @param knownLines the page's lines according to the file
 * @param readLines called if neither the file nor the model has the lines' positions
 */
export async function joinParts(
  parts: ReadPart[],
  picture: PagePicture,
  input: TranscribeInput,
  knownLines: readonly KnownLine[],
  readLines: ReadLines,
): Promise<TranscribedPage> {
  const page = input.hints.pageNumber;
  const warnings: Warning[] = picture.warnings.map((warning) => ({ ...warning, page }));
  const packages: TranscribedPage['packages'] = [];
  const figures: CroppedFigure[] = [];
  let marked = '';
  for (const [index, part] of parts.entries()) {
    const document = splitDocument(repairControlCharacters(part.answer.latex));
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
  const byText = placeByOwnText(read, knownLines);
  if (byText) return byText;
  const ink = picture.inkLines ?? (await wholePage(picture)).inkLines ?? [];
  const stated = parts.flatMap((part) => toPageBoxes(part, ink));
  return placeByOwnText(read, stated) ?? placeByPicture(read, ink, await readLines());
}

/** Inserts crops where the body names drawings. A drawing without a usable box, or without a place, gets a warning. */
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
  const places: Splice[] = [];
  for (const { start, end, argument } of listCommands(scanLatex(latex), /^includegraphics\*?$/)) {
    if (!argument) continue;
    const target = latex.slice(argument.start, argument.end).trim();
    const number = Number(/^drawing-(\d+)(?:\.\w+)?$/.exec(target)?.[1]);
    const name = names.get(number);
    places.push({ start, end, text: name ? includeFigure(name) : '[drawing]' });
    if (name) placed.add(number);
    else
      warnings.push({
        code: 'DRAWING_MISSING',
        message: 'A drawing on this page could not be cut out; its place is marked.',
        page,
      });
  }
  let body = applySplices(latex, places).text;
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

/** Each package once, with the options of the first use that has any. Invalid package names are dropped. */
function dedupe(packages: TranscribedPage['packages']): TranscribedPage['packages'] {
  const byName = new Map<string, { name: string; options?: string }>();
  for (const use of packages) {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(use.name)) continue;
    const known = byName.get(use.name);
    if (!known || (!known.options && use.options)) byName.set(use.name, use);
  }
  return [...byName.values()];
}
