import { PDFDocument } from '@cantoo/pdf-lib';

/** A PDF of this many pages, each with its number. */
export async function makePdf(
  pageCount: number,
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const pdf = await PDFDocument.create();
  for (let number = 1; number <= pageCount; number++)
    pdf.addPage([300, 400]).drawText(`Page ${number}`, { x: 40, y: 300 });
  return { name: 'lecture.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await pdf.save()) };
}
