/** A page during a conversion, before it is read. */

import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { DrawnMarks } from './text-layer/glyphs/find-strokes.ts';

/** An uncompressed 8-bit bitmap, rows top to bottom, no padding. */
export interface Bitmap {
  width: number;
  height: number;
  /** 1 grey, 3 RGB. */
  channels: 1 | 3;
  data: Uint8Array;
}

/** Quarter turns clockwise. */
export type Quarters = 0 | 1 | 2 | 3;

/** Where a page comes from. */
export interface PageSource {
  kind: 'pdf' | 'image';
  /** A local file; it exists as long as the page is worked on. */
  path: string;
  /** From 0: PDF page, TIFF frame. */
  index: number;
  /** Rotation chosen by somebody who saw the page; its orientation is then not detected. */
  turn?: Quarters;
}

/** What is known of an upload after its inspection. */
export type InspectedFile =
  | { kind: 'pdf'; pageCount: number }
  | { kind: 'image'; format: ImageFormat; pageCount: number; width: number; height: number };

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'bmp' | 'heic' | 'avif';

/** A page made ready to be read: upright, flat, evenly lit, at most 2600 px on the long side. */
export interface PreparedPage {
  bitmap: Bitmap;
  /** How the paper was found, for warnings: a render is exact, a photo was straightened or left alone. */
  origin: 'render' | 'photo' | 'scan';
  /** The colour picture shown next to the text, JPEG. */
  preview: Uint8Array;
  /** Lines of ink in reading order, if requested: left, top, width, height as shares of the page. */
  inkLines?: ShareBox[];
  /** Height of most letters on a photo or scan, as a share of its long side; 0 without writing. */
  letters?: number;
  /** Clockwise quarter turns applied to set the picture upright; absent if it was not turned. */
  turned?: 1 | 2 | 3;
  warnings: { code: string; message: string }[];
}

/**
 * The part of a page that every reader needs; what is expensive to make or to transfer is made on request
 * (`wholePage`).
 */
export interface PagePicture extends Omit<PreparedPage, 'bitmap'> {
  bitmap?: Bitmap;
  /** The JPEG sent to a model. */
  forModel?: Uint8Array;
  /** Prepares the page again, completely; called once. */
  redo?: () => Promise<PreparedPage>;
  /** As `findDrawn`, where the page's pixels are made: they are only transferred if something may be written. */
  drawn?: (marks: DrawnMarks) => Promise<DrawnPicture | null>;
  /** Rotates the page further; absent if somebody has chosen its rotation. */
  turn?: (quarters: Quarters) => Promise<PagePicture>;
}

/** What is drawn on a page besides its text, and nothing else. */
export type DrawnPicture = Pick<PreparedPage, 'bitmap' | 'origin'>;

/** @throws the errors of preparing a page */
export async function wholePage(picture: PagePicture): Promise<PreparedPage> {
  const { bitmap, redo } = picture;
  if (bitmap) return { ...picture, bitmap };
  if (!redo) throw new Error('a page without pixels, and no way to make them');
  return redo();
}
