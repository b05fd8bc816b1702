/** The package brings no types; this is the part we call. */
declare module 'heic-decode' {
  interface HeicImage {
    width: number;
    height: number;
    /** RGBA, turned upright as the file asks. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  interface HeicImages extends Array<HeicImage> {
    dispose(): void;
  }
  const decode: { all(input: { buffer: Uint8Array }): Promise<HeicImages> };
  export default decode;
}
