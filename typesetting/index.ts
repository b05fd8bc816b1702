/** The typesetting feature, as the rest of the server sees it. */

export { requireCompiled } from '#server/compile/answers.ts';
export {
  attachCompileSessions,
  type CompileSessions,
  createAskCaller,
  registerCompileSessionRoute,
} from './compile-session/index.ts';
export { createTypesetter, type TypesetterOptions } from './create-typesetter.ts';
export { chooseEngine } from './engines/engine.ts';
export { isSafeAssetName } from './sandbox/job-folder.ts';
export { registerTypesettingRoutes, type TypesettingRoutesDeps } from '#server/compile/routes.ts';
export type { SandboxKind } from './sandbox/sandbox.ts';
export type { Asset, CompileJob, CompileResult, Engine, Typesetter } from './typesetter.ts';
