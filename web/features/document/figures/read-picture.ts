/**
 * Converts files to what the server accepts: pictures (PNG, JPEG or PDF) from any format that the browser can open,
 * and texts.
 */
import type { Figure, FigureMediaType } from '#shared/api/conversion.ts';
import { type FigureType, isTextFile } from './figure-names.ts';

export interface Picture {
  blob: Blob;
  type: FigureType;
}

/** Null if the browser cannot open it as a picture, and it is not a text file that LaTeX reads. */
export async function readPicture(file: File): Promise<Picture | null> {
  const { type } = file;
  if (isTextFile(file.name)) return { blob: file, type: 'application/octet-stream' };
  if (type === 'image/png' || type === 'image/jpeg' || type === 'application/pdf')
    return { blob: file, type };
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob && { blob, type: 'image/png' };
}

/** A figure, or another file of the document, in the form that compiles take. */
export async function encodeFigure(
  name: string,
  { blob, type }: { blob: Blob; type: FigureMediaType },
): Promise<Figure> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
  return { name, media_type: type, data_base64: address.slice(address.indexOf(',') + 1) };
}
