/**
 * Addresses of PDFs held in this page. A conversion delivers a data address (specification, section 4), a compile a
 * blob address; both are resolved to their bytes here without a fetch, so that the page's security policy need not
 * allow fetching either.
 */

const blobs = new Map<string, Blob>();

/** A blob address whose bytes `readPdf` finds again. Release it with `releasePdf`. */
export function createPdfAddress(blob: Blob): string {
  const address = URL.createObjectURL(blob);
  blobs.set(address, blob);
  return address;
}

export function releasePdf(address: string): void {
  if (blobs.delete(address)) URL.revokeObjectURL(address);
}

const dataPrefix = 'data:application/pdf;base64,';

export function pdfDataAddress(base64: string): string {
  return dataPrefix + base64;
}

/** The PDF at an address made here. @throws Error when the address has been released */
export function readPdf(address: string): Blob {
  if (address.startsWith(dataPrefix))
    return new Blob([decodeBase64(address.slice(dataPrefix.length))], { type: 'application/pdf' });
  const blob = blobs.get(address);
  if (!blob) throw new Error('This PDF address has been released');
  return blob;
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
