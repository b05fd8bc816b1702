/** Places in a PDF, in PDF points (1/72 inch) from a page's top left corner; pages are numbered from 1. */

export interface PdfPoint {
  page: number;
  x: number;
  y: number;
}

export interface PdfBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** `synctex` marks fade after a moment, `search` and `linked` ones last as long as they are passed. */
export type PdfMarkKind = 'synctex' | 'search' | 'linked';

export interface PdfMark {
  kind: PdfMarkKind;
  page: number;
  boxes: readonly PdfBox[];
}

/** Pages of a newer PDF, available before the rest: `bytes` is a PDF in which these pages are up to date. */
export interface PdfPages {
  bytes: Uint8Array<ArrayBuffer>;
  firstPage: number;
  lastPage: number;
}
