/**
 * pdf.js loads a canvas library to draw with, which reads all fonts of the system: 0.4 s of CPU and 30 MB of
 * native code in each process. Nothing is drawn here. Imported before pdf.js.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, resolveNext) {
    // replaced by a module that has none of it
    return specifier === '@napi-rs/canvas'
      ? { url: 'node:path', format: 'builtin', shortCircuit: true }
      : resolveNext(specifier, context);
  },
});

/** Required by pdf.js when it loads; used only for drawing. */
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: class {} });
}
