/** Forward and inverse search in what is shown: its SyncTeX data is parsed on first use, once per PDF. */
import { gunzipSync } from 'node:zlib';
import { readSynctex, type Synctex } from '#latex/synctex/synctex.ts';
import type { PdfPlace } from '#shared/api/compile-session.ts';

/** The document, as the engine names it. */
const mainFile = 'main.tex';
/** About a thousand pages; larger data is not searched. */
const maxSynctexBytes = 40_000_000;

export interface Positions {
  /** The version that is searched; null before anything was shown. */
  readonly version: number | null;
  /** What is held in memory, in bytes. */
  readonly heldBytes: number;
  /** Another PDF is shown; `synctex` is null if it has no such data. */
  show(version: number, synctex: Uint8Array | null): void;
  findPlace(place: {
    /** Of one of the document's files; its own text without it. */
    file?: string;
    line: number;
    column?: number;
    lineLength?: number;
    nearPage?: number;
  }): PdfPlace | null;
  /** The line that typeset this point, and its file unless it is the document's own; null if nothing is there. */
  findLine(point: { page: number; x: number; y: number }): { line: number; file?: string } | null;
}

export function createPositions(): Positions {
  let version: number | null = null;
  let packed: Uint8Array | null = null;
  let index: Synctex | null = null;
  let heldBytes = 0;

  const getIndex = () => {
    if (packed === null) return index;
    const data = packed;
    packed = null;
    try {
      const content = gunzipSync(data, { maxOutputLength: maxSynctexBytes });
      index = readSynctex(content);
      heldBytes = index ? content.length : 0;
    } catch {
      // damaged, or too large to search
      heldBytes = 0;
    }
    return index;
  };

  return {
    get version() {
      return version;
    },
    get heldBytes() {
      return heldBytes;
    },
    show(next, synctex) {
      version = next;
      packed = synctex;
      index = null;
      heldBytes = synctex?.length ?? 0;
    },
    findPlace(place) {
      const found = getIndex()?.findInPdf({ file: mainFile, ...place }) ?? null;
      return found && { page: found.page, rectangles: found.rectangles, focus: found.focus };
    },
    findLine(point) {
      const found = getIndex()?.findInSource(point) ?? null;
      if (!found) return null;
      return found.file === mainFile ? { line: found.line } : { line: found.line, file: found.file };
    },
  };
}
