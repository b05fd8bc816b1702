/** The typesetting feature, as the rest of the server sees it. */
export { createTypesetter, type TypesetterOptions } from './create-typesetter.ts';
export { isSafeAssetName } from './job-folder.ts';
export type { SandboxKind } from './sandbox.ts';
export type { Asset, CompileJob, CompileResult, Engine, Typesetter } from './typesetter.ts';
