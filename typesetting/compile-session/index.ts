/** Compile sessions, as the rest of the room sees them. */

export { createAskCaller, registerCompileSessionRoute } from '#server/compile/session/ask-caller.ts';
export { attachCompileSessions, type CompileSessions } from '#server/compile/session/attach-sessions.ts';
