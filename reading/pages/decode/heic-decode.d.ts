/** The package has no types; this declares the part we call. */
declare module 'heic-decode' {
  interface HeicImage {
    width: number;
    height: number;
    /** RGBA, turned upright as the file specifies. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  interface HeicImages extends Array<HeicImage> {
    dispose(): void;
  }
  const decode: { all(input: { buffer: Uint8Array }): Promise<HeicImages> };
  export default decode;
}
