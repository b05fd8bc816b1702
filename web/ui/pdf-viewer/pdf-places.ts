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

/** `synctex` is seen for a moment, `search` and `linked` for as long as they are given. */
export type PdfMarkKind = 'synctex' | 'search' | 'linked';

export interface PdfMark {
  kind: PdfMarkKind;
  page: number;
  boxes: readonly PdfBox[];
}

/** Some pages of a newer PDF, known before the whole of it: `bytes` is a PDF in which they are right. */
export interface PdfPages {
  bytes: Uint8Array<ArrayBuffer>;
  firstPage: number;
  lastPage: number;
}
