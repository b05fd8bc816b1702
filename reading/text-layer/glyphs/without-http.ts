/**
 * pdf.js asks for a method of `Response` when it loads, and otherwise uses it only for writing PDFs; Node would load its HTTP
 * client. For a process that does nothing but read PDFs, imported before pdf.js.
 */
Object.assign(globalThis, {
  Response: class {
    bytes(): void {}
  },
});
