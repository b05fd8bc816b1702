/**
 * LaTeX in, PDF and messages out, each document in a separate box that contains no other file, network or
 * program.
 *
 *     const typesetter = await createTypesetter({ logger });
 *     const result = await typesetter.compile({ latex, owner: 'somebody' });
 *     if (result.kind === 'compiled') await writeFile('notes.pdf', result.pdf);
 *     await typesetter.close();
 */
export { createTypesetter } from './create-typesetter.ts';
export { chooseEngine } from './engines/engine.ts';
export { publicMessages, requireCompiled } from './require-compiled.ts';
export { isSafeAssetName } from './sandbox/job-folder.ts';
export type { Asset, CompileJob, CompileProgress, CompileResult, Engine, Typesetter } from './typesetter.ts';
export { createWatermarker } from './watermark/create-watermarker.ts';
