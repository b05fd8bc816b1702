/** A page in a hand of our own: letters drawn for this project as pen strokes, no two of them quite alike. */
import sharp from 'sharp';

/** Strokes of a letter (SVG paths) in a box of its width; the x-height is 10, the baseline lies at 0, y grows downwards. */
const letters: Record<string, { width: number; strokes: string }> = {
  a: { width: 9, strokes: 'M8-8.5C5-11 0.5-9 0.8-4C1-0.5 5 0.5 7.6-4.5L8.2-9C7.6-5 7.6-1.5 9.2-0.3' },
  c: { width: 8, strokes: 'M7.5-8.5C4-11 0.4-8 0.8-4C1.2 0 5.5 0.6 8-1.6' },
  d: { width: 9, strokes: 'M7.8-8C5-10.6 0.6-9 0.8-4C1 0 5.4 0.4 7.6-4L8.4-19C8-12 7.6-3 9.2-0.2' },
  e: {
    width: 8,
    strokes: 'M1-5C4-4.6 7-5.6 7-7.8C7-10.4 3.6-10.6 1.8-7.6C0-4.4 1.4-0.2 4.4 0.1C6 0.2 7.4-0.6 8.4-2',
  },
  f: { width: 7, strokes: 'M7.6-17.4C5.4-19.6 3.4-18 3.2-14L2.8 0M0-9.6L6.4-10' },
  h: { width: 9, strokes: 'M1-19L1.2 0M1.2-5C2.4-8.6 4.4-10.2 6-9.8C8-9.2 7.4-4 7.8 0' },
  i: { width: 4, strokes: 'M2-10L2.2-1.6C2.4-0.2 3.2 0 4-0.8M2.1-14.4L2.3-13.8' },
  l: { width: 4, strokes: 'M1.6-19L1.8-2C1.9-0.2 2.8 0.1 4-0.6' },
  m: {
    width: 14,
    strokes:
      'M1-10L1.2 0M1.2-5C2.6-9 4.6-10.4 5.8-9.6C7-8.8 6.6-4 6.8 0M6.8-5C8.2-9 10.2-10.4 11.6-9.6C13-8.8 12.4-3 13.4 0',
  },
  n: { width: 9, strokes: 'M1-10L1.3 0M1.3-5C2.6-9 4.8-10.4 6.2-9.6C7.8-8.6 7-3.6 8 0' },
  o: { width: 9, strokes: 'M5-10C1.6-10.2 0.4-6.6 0.9-3.6C1.4-0.4 4.6 0.8 6.9-1.2C9.2-3.4 8.8-9.8 4.6-9.9' },
  r: { width: 7, strokes: 'M1-10L1.4 0M1.4-5.6C2.6-8.8 4.4-10.2 6.6-9.4' },
  s: {
    width: 7,
    strokes: 'M6.6-8.8C4.6-10.6 1.4-10 1.4-7.8C1.4-5.2 6.6-5.2 6.4-2.4C6.2 0.2 2.4 0.8 0.6-1.2',
  },
  t: { width: 7, strokes: 'M3.4-16L3.2-3C3.2-0.2 4.8 0.4 6.6-1M0-10.4L6.6-10.8' },
  u: { width: 9, strokes: 'M1-10C0.8-5 0.6-0.4 3.8 0C6-0.1 7.2-3 7.6-9.8C7.4-5 7.4-1 9-0.2' },
  w: {
    width: 13,
    strokes: 'M0.6-10C1.4-5 1.8-1 3.8 0C5.4-1 6-5 6.4-9C6.8-5 7.6-0.6 9.4 0C11.4-1 11.8-6 12.2-10',
  },
};
const space = 9;
const between = 0.2;

/**
 * White paper of 1400 × 1000 with lines in that hand.
 * @param lines of the letters above and spaces
 * @param isRuled whether the paper has blue lines
 */
export async function drawHandwriting(lines: readonly string[], isRuled = false): Promise<Buffer> {
  const [left, top, step] = [130, 200, 120];
  const write = createHand();
  const strokes = lines.map((line, row) => write(line, left, top + row * step));
  const rules = Array.from({ length: 13 }, (_, row) => `<path d="M0 ${90 + 60 * row}H1400"/>`).join('');
  return await drawPage(1400, 1000, [
    isRuled ? `<g stroke="#9fb4dc" stroke-width="2">${rules}</g>` : '',
    ...strokes,
  ]);
}

export type Hand = (words: string, left: number, baseline: number) => string;

/** Somebody who writes: SVG of words at a place, with an x-height of 26 pixels. */
export function createHand(): Hand {
  const place = createPen();
  return (words, left, baseline) => {
    const strokes = place(words, left, baseline).map(
      ({ matrix, path }) => `<path transform="matrix(${matrix.join(' ')})" d="${path}"/>`,
    );
    return `<g fill="none" stroke="#1d2340" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${strokes.join('')}</g>`;
  };
}

interface PlacedLetter {
  /** a … f as SVG and PDF have them. */
  matrix: number[];
  /** Absolute M, L and C. */
  path: string;
}

/** Letters where somebody puts them, no two alike; the same at every run. */
function createPen(): (words: string, left: number, baseline: number) => PlacedLetter[] {
  const [size, slant] = [2.6, 34];
  let turn = 0;
  return (words, left, baseline) => {
    let x = left;
    return [...words].flatMap((sign) => {
      const letter = letters[sign];
      turn++;
      if (!letter) {
        x += space * size;
        return [];
      }
      const [lift, tilt] = [5 * Math.sin(turn * 1.7), (6 * Math.sin(turn * 2.3) * Math.PI) / 180];
      const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
      const skew = Math.tan((-slant * Math.PI) / 180);
      const wide = size * (1 + 0.12 * Math.sin(turn * 3.1));
      // turned, then slanted, then made as large as it is
      const matrix = [
        cos * wide,
        sin * wide,
        (cos * skew - sin) * size,
        (sin * skew + cos) * size,
        x,
        baseline + lift,
      ];
      x += (letter.width + between) * size;
      return [{ matrix, path: letter.strokes }];
    });
  };
}

export interface PdfPage {
  /** Points. */
  width: number;
  height: number;
  /** Set in Helvetica; places from the top left. */
  print: readonly { text: string; left: number; baseline: number; size: number }[];
  /** Operators of a content stream, in the same coordinates. */
  ink: string;
}

/** Words as a tablet exports them: one stroke path a letter, as operators of a PDF. */
export function createTablet(scale: number): Hand {
  const place = createPen();
  return (words, left, baseline) =>
    place(words, left / scale, baseline / scale)
      .map(({ matrix, path }) => {
        const drawn = matrix.map((value) => (value * scale).toFixed(4)).join(' ');
        return `q ${drawn} cm 1.5 w 1 J 1 j ${toOperators(path)} S Q`;
      })
      .join('\n');
}

/** `M8-8.5C5-11 …` as PDF says it. */
function toOperators(path: string): string {
  return [...path.matchAll(/([MLC])([^MLC]+)/g)]
    .flatMap(([, command, rest]) => {
      const numbers = rest!.match(/-?\d+(?:\.\d+)?/g) ?? [];
      const arity = command === 'C' ? 6 : 2;
      const operator = { M: 'm', L: 'l', C: 'c' }[command!];
      return Array.from({ length: numbers.length / arity }, (_, at) =>
        [...numbers.slice(at * arity, (at + 1) * arity), operator].join(' '),
      );
    })
    .join(' ');
}

/** A PDF of pages with words of a text layer and ink drawn over them. */
export function drawPdf(pages: readonly PdfPage[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const kids: string[] = [];
  for (const { width, height, print, ink } of pages) {
    const words = print.map(
      ({ text, left, baseline, size }) =>
        `BT /F1 ${size} Tf ${left} ${height - baseline} Td (${text.replaceAll(/[()\\]/g, '\\$&')}) Tj ET`,
    );
    const stream = `${words.join('\n')}\nq 1 0 0 -1 0 ${height} cm 0.1 0.15 0.5 RG\n${ink}\nQ`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length + 2} 0 R >>`,
      `<< /Length ${Buffer.byteLength(stream)} >>\nstream\n${stream}\nendstream`,
    );
    kids.push(`${objects.length - 1} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** White paper with these SVG elements on it, as PNG. */
export async function drawPage(width: number, height: number, elements: readonly string[]): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${elements.join('')}</svg>`;
  return await sharp(Buffer.from(svg)).png().toBuffer();
}
