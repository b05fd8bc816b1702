/** Compile sessions, as the rest of the room sees them. */

export { createAskCaller, registerCompileSessionRoute } from './ask-caller.ts';
export { attachCompileSessions, type CompileSessions } from './attach-sessions.ts';
