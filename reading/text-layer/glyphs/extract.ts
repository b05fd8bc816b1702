/**
 * Turns pdf.js's operator list into a page model. The list is interpreted as a viewer would (graphics state, text matrices),
 * because pdf.js's own text call drops rules, glyph names and exact origins.
 */

import './inflate-at-once.ts';
import './without-canvas.ts';
import { getDocument, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { unknownCharacter, withoutMarks } from '../doubt.ts';
import type { Box, Drawing, FontFace, PageModel, Rule } from '../model.ts';
import { decodeGlyph, type PdfFont, type PdfGlyph } from './decode-glyph.ts';
import { describeFont } from './fonts.ts';
import { apply, boundsOfPath, inkOfPath, type Matrix, multiply, splitPath } from './paths.ts';

/** Operands as given by pdf.js; their types depend on the operator. */
// biome-ignore lint/suspicious/noExplicitAny: pdf.js types its operands as any
type Arguments = any[];

/** Most glyphs read of one page; a page of dense small print has about 12,000. */
const maxGlyphs = 60_000;
/** Most operators read of one page (vector maps reach millions). */
const maxOperators = 1_500_000;

/** Opens a PDF from memory. Nothing is fetched: fonts and character maps come from the package's own folder. */
export async function openPdf(bytes: Uint8Array, packageFolder: string): Promise<PDFDocumentProxy> {
  return getDocument({
    data: bytes,
    verbosity: 0,
    useSystemFonts: false,
    fontExtraProperties: true,
    disableFontFace: true,
    isEvalSupported: false,
    stopAtErrors: false,
    useWorkerFetch: false,
    enableXfa: false,
    standardFontDataUrl: `${packageFolder}/standard_fonts/`,
    cMapUrl: `${packageFolder}/cmaps/`,
    cMapPacked: true,
    maxImageSize: 50_000_000,
  } as Parameters<typeof getDocument>[0]).promise;
}

interface State {
  ctm: Matrix;
  font: PdfFont | null;
  face: FontFace | null;
  fontSize: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
  lineWidth: number;
}

/** Reads page `index` (from 0). */
export async function extractPage(document: PDFDocumentProxy, index: number): Promise<PageModel> {
  const page = await document.getPage(index + 1);
  try {
    const list = await page.getOperatorList({ annotationMode: 0 });
    return new Interpreter(page, inksOf(document)).run(list.fnArray, list.argsArray);
  } finally {
    page.cleanup();
  }
}

/** Bounds of the outlines that were measured, of each document: its pages have the same letters. */
const inks = new WeakMap<PDFDocumentProxy, Map<string, Box>>();

function inksOf(document: PDFDocumentProxy): Map<string, Box> {
  const known = inks.get(document) ?? new Map<string, Box>();
  inks.set(document, known);
  return known;
}

class Interpreter {
  readonly #page: PDFPageProxy;
  readonly #model: PageModel;
  readonly #faces = new Map<string, FontFace>();
  readonly #inks: Map<string, Box>;
  readonly #stack: State[] = [];
  #state: State;
  #text: Matrix = [1, 0, 0, 1, 0, 0];
  #line: [number, number] = [0, 0];
  #pen: [number, number] = [0, 0];

  constructor(page: PDFPageProxy, inks: Map<string, Box>) {
    this.#page = page;
    this.#inks = inks;
    const viewport = page.getViewport({ scale: 1 });
    this.#model = {
      width: viewport.width,
      height: viewport.height,
      glyphs: [],
      rules: [],
      drawings: [],
      hiddenGlyphs: 0,
      unknownGlyphs: 0,
      turnedGlyphs: [],
    };
    this.#state = {
      ctm: viewport.transform as Matrix,
      font: null,
      face: null,
      fontSize: 1,
      charSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      lineWidth: 1,
    };
  }

  run(codes: ArrayLike<number>, args: ArrayLike<unknown>): PageModel {
    const count = Math.min(codes.length, maxOperators);
    for (let i = 0; i < count; i++) this.#operate(codes[i] as number, args[i] as Arguments);
    return this.#model;
  }

  #operate(code: number, a: Arguments): void {
    const s = this.#state;
    switch (code) {
      case OPS.save:
        this.#stack.push({ ...s });
        break;
      case OPS.restore:
        this.#state = this.#stack.pop() ?? s;
        break;
      case OPS.transform:
        s.ctm = multiply(s.ctm, a as unknown as Matrix);
        break;
      case OPS.paintFormXObjectBegin:
        this.#stack.push({ ...s });
        if (Array.isArray(a[0]) || ArrayBuffer.isView(a[0])) s.ctm = multiply(s.ctm, a[0] as Matrix);
        break;
      case OPS.paintFormXObjectEnd:
        this.#state = this.#stack.pop() ?? s;
        break;
      case OPS.setLineWidth:
        s.lineWidth = a[0] as number;
        break;
      case OPS.beginText:
        this.#text = [1, 0, 0, 1, 0, 0];
        this.#line = [0, 0];
        this.#pen = [0, 0];
        break;
      case OPS.setCharSpacing:
        s.charSpacing = a[0] as number;
        break;
      case OPS.setWordSpacing:
        s.wordSpacing = a[0] as number;
        break;
      case OPS.setHScale:
        s.scale = (a[0] as number) / 100;
        break;
      case OPS.setLeading:
        s.leading = -(a[0] as number);
        break;
      case OPS.setTextRise:
        s.rise = a[0] as number;
        break;
      case OPS.setTextRenderingMode:
        s.mode = a[0] as number;
        break;
      case OPS.setFont:
        this.#setFont(a[0] as string, a[1] as number);
        break;
      case OPS.moveText:
        this.#move(a[0] as number, a[1] as number);
        break;
      case OPS.setLeadingMoveText:
        s.leading = a[1] as number;
        this.#move(a[0] as number, a[1] as number);
        break;
      case OPS.nextLine:
        this.#move(0, s.leading);
        break;
      case OPS.setTextMatrix: {
        const m = (a.length === 6 ? a : a[0]) as unknown as Matrix;
        this.#text = [m[0], m[1], m[2], m[3], m[4], m[5]];
        this.#line = [0, 0];
        this.#pen = [0, 0];
        break;
      }
      case OPS.showText:
        this.#show(a[0] as unknown as (PdfGlyph | number)[]);
        break;
      case OPS.constructPath:
        this.#path(a[0] as number, a[1] as unknown as unknown[]);
        break;
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject:
      case OPS.paintSolidColorImageMask:
      case OPS.paintImageXObjectRepeat:
      case OPS.paintImageMaskXObjectRepeat:
        this.#image();
        break;
      case OPS.shadingFill:
        break;
    }
  }

  #move(x: number, y: number): void {
    this.#line = [this.#line[0] + x, this.#line[1] + y];
    this.#pen = [...this.#line];
  }

  #setFont(id: string, size: number): void {
    const s = this.#state;
    s.fontSize = size;
    try {
      s.font = this.#page.commonObjs.get(id) as PdfFont;
    } catch {
      s.font = null;
    }
    let face = this.#faces.get(id);
    if (!face && s.font) {
      face = describeFont(s.font.name || id, id);
      this.#faces.set(id, face);
    }
    s.face = face ?? null;
  }

  #show(glyphs: (PdfGlyph | number)[]): void {
    const s = this.#state;
    const { font, face } = s;
    if (!font || !face) return;
    const unit = font.fontMatrix?.[0] ?? 0.001;
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        this.#pen[0] -= (glyph * s.fontSize * s.scale) / 1000;
        continue;
      }
      const advance = glyph.width * s.fontSize * unit;
      const spacing = s.charSpacing + (glyph.isSpace ? s.wordSpacing : 0);
      this.#place(glyph, font, face, advance);
      this.#pen[0] += (advance + spacing) * s.scale;
    }
  }

  #place(glyph: PdfGlyph, font: PdfFont, face: FontFace, advance: number): void {
    const s = this.#state;
    const m = multiply(s.ctm, this.#text);
    const [x, y] = apply(m, this.#pen[0], this.#pen[1] + s.rise);
    const size = Math.hypot(m[2], m[3]) * Math.abs(s.fontSize);
    const along = Math.hypot(m[0], m[1]) * s.scale;
    const width = Math.abs(advance) * along;
    if (s.mode === 3 || s.mode === 7) {
      this.#model.hiddenGlyphs += 1;
      return;
    }
    const decoded = decodeGlyph(glyph, font, face);
    if (decoded === null) {
      if (glyph.isSpace) return;
      this.#model.unknownGlyphs += 1;
    }
    if (size < 1 || this.#model.glyphs.length >= maxGlyphs) return;
    if (Math.abs(m[1]) > 0.05 * Math.abs(m[0]) || m[0] * s.fontSize < 0) {
      this.#model.turnedGlyphs.push({ x0: x - size, y0: y - size, x1: x + size, y1: y + size });
      return;
    }
    if (x < -size || y < -size || x > this.#model.width + size || y > this.#model.height + size) return;
    const shape = this.#inkOf(glyph, font);
    const em = along * s.fontSize;
    const ink = shape
      ? { x0: x + shape.x0 * em, y0: y - shape.y1 * size, x1: x + shape.x1 * em, y1: y - shape.y0 * size }
      : { x0: x, y0: y - 0.7 * size, x1: x + Math.max(width, 0.1), y1: y };
    const text = decoded ? withoutMarks(decoded.text) : shape ? unknownCharacter : '';
    if (text === '' || /^\s+$/.test(text)) return;
    const role = decoded?.role ?? 'plain';
    this.#model.glyphs.push({ text, role, font: face, size, x, baseline: y, width, ink });
  }

  /** Outline bounds in ems, y up; null when the font program has no outline for it. */
  #inkOf(glyph: PdfGlyph, font: PdfFont): Box | null {
    const key = `${font.loadedName}_path_${glyph.fontChar}`;
    const known = this.#inks.get(key);
    if (known || font.isType3Font || !this.#page.commonObjs.has(key)) return known ?? null;
    const path = (this.#page.commonObjs.get(key) as { path?: ArrayLike<number> } | null)?.path;
    const ink = path ? inkOfPath(path) : null;
    if (ink) this.#inks.set(key, ink);
    return ink;
  }

  #image(): void {
    const corners = [
      apply(this.#state.ctm, 0, 0),
      apply(this.#state.ctm, 1, 1),
      apply(this.#state.ctm, 0, 1),
    ];
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    this.#draw({
      kind: 'image',
      isFrame: false,
      x0: Math.min(...xs),
      y0: Math.min(...ys),
      x1: Math.max(...xs),
      y1: Math.max(...ys),
    });
  }

  #path(paint: number, data: unknown[]): void {
    const path = data[0] as ArrayLike<number> | null;
    if (!path || paint === OPS.endPath || paint === OPS.clip || paint === OPS.eoClip) return;
    const { ctm } = this.#state;
    const isStroke = paint === OPS.stroke || paint === OPS.closeStroke;
    const stroke = this.#state.lineWidth * Math.sqrt(Math.abs(ctm[0] * ctm[3] - ctm[1] * ctm[2]));
    for (const piece of splitPath(path)) {
      const shape = boundsOfPath(piece, ctm);
      if (!shape) continue;
      const { box, corners, isAxisAligned, straight } = shape;
      const width = box.x1 - box.x0;
      const height = box.y1 - box.y0;
      if (isStroke && isAxisAligned && (height < 0.3 || width < 0.3)) {
        const half = Math.max(stroke, 0.1) / 2;
        const horizontal = width >= height;
        this.#rule(
          horizontal
            ? { ...box, y0: box.y0 - half, y1: box.y1 + half, horizontal }
            : { ...box, x0: box.x0 - half, x1: box.x1 + half, horizontal },
        );
      } else if (!isStroke && isAxisAligned && Math.min(width, height) < 2.2 && Math.max(width, height) > 1) {
        this.#rule({ ...box, horizontal: width >= height });
      } else if (isStroke && isAxisAligned && corners >= 4 && corners <= 6) {
        const half = Math.max(stroke, 0.1) / 2;
        for (const y of [box.y0, box.y1])
          this.#rule({ x0: box.x0, x1: box.x1, y0: y - half, y1: y + half, horizontal: true });
        for (const x of [box.x0, box.x1])
          this.#rule({ x0: x - half, x1: x + half, y0: box.y0, y1: box.y1, horizontal: false });
      } else {
        const kind = !isStroke && isAxisAligned ? 'panel' : 'path';
        this.#draw({ kind, isFrame: straight > 1.2 * (width + height), ...box });
      }
    }
  }

  #rule(rule: Rule): void {
    if (this.#isOnPage(rule) && this.#model.rules.length < 20_000) this.#model.rules.push(rule);
  }

  #draw(drawing: Drawing): void {
    if (this.#isOnPage(drawing) && this.#model.drawings.length < 50_000) this.#model.drawings.push(drawing);
  }

  #isOnPage(box: Box): boolean {
    return box.x1 > 0 && box.y1 > 0 && box.x0 < this.#model.width && box.y0 < this.#model.height;
  }
}
