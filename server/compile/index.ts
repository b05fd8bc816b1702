/** Compiling and watermarks over HTTP, and compile sessions, which follow a document while it is typed. */
export { registerTypesettingRoutes } from './routes.ts';
export { createAskCaller, registerCompileSessionRoute } from './session/ask-caller.ts';
export { attachCompileSessions, type CompileSessions } from './session/attach-sessions.ts';
