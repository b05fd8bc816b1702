/** What the writers of all forms agree on: their input, and pictures. */

import type { ReadDocument } from '#latex/reader/tree.ts';
import type { Asset } from '#typesetting/index.ts';

/** What a writer needs beside the tree. */
export interface WriterInput {
  document: ReadDocument;
  title: string;
  figures: readonly Asset[];
}

/** The figure that `\includegraphics{name}` means, which may leave the ending out. */
export function findFigure(name: string, figures: readonly Asset[]): Asset | null {
  const wanted = ['', '.pdf', '.png', '.jpg', '.jpeg', '.eps'].map(
    (ending) => name.replace(/^(?:\.\/)+/, '') + ending,
  );
  for (const one of wanted) {
    const figure = figures.find((file) => file.name === one);
    if (figure) return figure;
  }
  // in a folder that the document searches, too (`\graphicspath`)
  return figures.find((file) => wanted.some((one) => file.name.endsWith(`/${one}`))) ?? null;
}

/** A picture's kind by its first bytes, where browsers and office programs show it; null for PDF and the rest. */
export function pictureType(bytes: Uint8Array): 'png' | 'jpeg' | 'gif' | null {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes[0] === 0x47 && bytes[1] === 0x49) return 'gif';
  return null;
}

/** Width and height in pixels, from the header; null where it has none. */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = pictureType(bytes);
  if (type === 'png' && bytes.length >= 24) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (type === 'gif' && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (type !== 'jpeg') return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
