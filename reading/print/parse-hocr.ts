import type { Box } from '../box.ts';
import type { Line, PrintedPage, Word } from './printed-page.ts';

/** Tesseract's hOCR is machine-made and flat enough for one expression: an opening tag with its class and title. */
const elementPattern =
  /<(?:div|p|span) class='(ocr_\w+|ocrx_word)' id='[^']*'[^>]*?title=(?:'([^']*)'|"([^"]*)")[^>]*>((?:<(?:strong|em)>)*)([^<]*)/g;

const lineClasses = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat']);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

function readBox(title: string): Box {
  const numbers = /bbox (-?\d+) (-?\d+) (-?\d+) (-?\d+)/.exec(title)?.slice(1).map(Number) ?? [];
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers;
  return { left, top, right, bottom };
}

function readNumber(title: string, name: string): number | null {
  const found = new RegExp(`\\b${name} (-?[\\d.]+)`).exec(title);
  return found ? Number(found[1]) : null;
}

/** Extracts words, lines and rules from Tesseract's hOCR for one page. */
export function parseHocr(hocr: string): PrintedPage {
  const page: PrintedPage = { width: 0, height: 0, lines: [], rules: [] };
  let [area, paragraph] = [0, 0];
  let line: Line | undefined;
  for (const [, kind = '', single, double, , text = ''] of hocr.matchAll(elementPattern)) {
    const title = decode(single ?? double ?? '');
    const box = readBox(title);
    if (kind === 'ocr_page') {
      page.width = box.right;
      page.height = box.bottom;
    } else if (kind === 'ocr_carea') area++;
    else if (kind === 'ocr_par') paragraph++;
    else if (kind === 'ocr_separator') page.rules.push(box);
    else if (lineClasses.has(kind)) {
      line = {
        ...box,
        words: [],
        size: readNumber(title, 'x_size') ?? box.bottom - box.top,
        paragraph,
        area,
      };
      page.lines.push(line);
    } else if (kind === 'ocrx_word' && line) {
      const word: Word = { ...box, text: decode(text).trim(), confidence: readNumber(title, 'x_wconf') ?? 0 };
      if (word.text) line.words.push(word);
    }
  }
  page.lines = page.lines.filter((candidate) => candidate.words.length > 0);
  return page;
}
