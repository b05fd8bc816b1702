/** The assistant: changes a document at its owner's request, and proves the change before returning it. */
export { type Assistant, createAssistant } from './assistant.ts';
export type { ChangeOutcome } from './change-outcome.ts';
export { registerConversationRoutes } from './conversation/conversation-routes.ts';
export { exportAssistantOf } from './conversation/export-conversations.ts';
export { createTurnRunner, type TurnRunner } from './conversation/run-turns.ts';
export { createRepairer } from './repair-fragment.ts';
export { registerAssistantRoutes } from './routes.ts';
