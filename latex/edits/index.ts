/** Change requests that need no model. */
export { applyEdits } from './apply-edits.ts';
export type { AppliedEdits, EditPlan, ExactEdit, Refusal } from './exact-edit.ts';
export { listExactEdits, type PublishedEdit } from './list-exact-edits.ts';
export { parseChangeRequest } from './parse-change-request.ts';
