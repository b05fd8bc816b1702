/** Keeps the texts of a document's files where search finds them. */
import { and, eq } from 'drizzle-orm';
import { maxLatexLength } from '#shared/api/limits.ts';
import { decodeText } from '../files/decode-text.ts';
import type { Transaction } from '../lock-library.ts';
import { documentTexts } from '../schema.ts';

/** The text of a file that is LaTeX; null for any other, for one that is no text, and for one too long to be read. */
export function readFileText(name: string, bytes: Uint8Array): string | null {
  if (!/\.(?:tex|ltx|latex)$/i.test(name) || bytes.length > maxLatexLength || bytes.includes(0)) return null;
  return decodeText(bytes, name).toWellFormed();
}

/** To be called in the transaction that writes the file's row, after it. */
export async function writeFileText(
  tx: Transaction,
  documentId: string,
  name: string,
  latex: string | null,
): Promise<void> {
  if (latex === null) {
    await tx
      .delete(documentTexts)
      .where(and(eq(documentTexts.documentId, documentId), eq(documentTexts.name, name)));
    return;
  }
  await tx
    .insert(documentTexts)
    .values({ documentId, name, latex })
    .onConflictDoUpdate({ target: [documentTexts.documentId, documentTexts.name], set: { latex } });
}
