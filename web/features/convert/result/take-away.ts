/** Taking the result elsewhere: files, and the online editor. */

import type { Figure } from '#shared/api/conversion.ts';
import { decodeBase64 } from '#web/lib/pdf/pdf-address.ts';
import { retryImport } from '#web/lib/retry-import.ts';

export function downloadLatex(documentName: string, latex: string): void {
  saveFile(`${documentName}.tex`, new Blob([latex], { type: 'application/x-tex' }));
}

export function downloadPdf(documentName: string, pdf: Blob): void {
  saveFile(`${documentName}.pdf`, pdf);
}

interface Everything {
  documentName: string;
  latex: string;
  pdf: Blob | null;
  figures: Figure[];
}

/** A zip with the source, its figures next to it (where `\includegraphics` looks) and the PDF. */
export async function downloadZip({ documentName, latex, pdf, figures }: Everything): Promise<void> {
  const { strToU8, zipSync } = await retryImport(() => import('fflate'));
  const files: Record<string, Uint8Array> = { [`${documentName}.tex`]: strToU8(latex) };
  for (const figure of figures) files[figure.name] = decodeBase64(figure.data_base64);
  if (pdf !== null) files[`${documentName}.pdf`] = new Uint8Array(await pdf.arrayBuffer());
  const zip = new Uint8Array(zipSync(files));
  saveFile(`${documentName}.zip`, new Blob([zip], { type: 'application/zip' }));
}

function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads the bytes after this task
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Posts the source to the online editor in a new tab (specification, section 7: `snip` and `engine`). */
export function openInOnlineEditor(address: string, latex: string): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = address;
  form.target = '_blank';
  form.rel = 'noopener';
  form.hidden = true;
  for (const [name, value] of Object.entries({ snip: latex, engine: 'xelatex' })) {
    const field = document.createElement('textarea');
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
