/** Hands bytes to the browser's downloads under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // the download has its own hold on the bytes once it has begun
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
