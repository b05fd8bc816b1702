/** The typesetting feature, as the rest of the server sees it. */

export { requireCompiled } from './answers.ts';
export {
  attachCompileSessions,
  type CompileSessions,
  createAskCaller,
  registerCompileSessionRoute,
} from './compile-session/index.ts';
export { createTypesetter, type TypesetterOptions } from './create-typesetter.ts';
export { chooseEngine } from './engine.ts';
export { isSafeAssetName } from './job-folder.ts';
export { registerTypesettingRoutes, type TypesettingRoutesDeps } from './routes.ts';
export type { SandboxKind } from './sandbox.ts';
export type { Asset, CompileJob, CompileResult, Engine, Typesetter } from './typesetter.ts';
