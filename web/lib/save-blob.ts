/** Saves bytes to the browser's downloads under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // a download in progress holds the bytes itself
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
