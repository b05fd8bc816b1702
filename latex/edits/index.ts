/** Change requests that are done without a model. */
export { applyEdits } from './apply-edits.ts';
export { listExactEdits } from './list-exact-edits.ts';
export { parseChangeRequest } from './parse-change-request.ts';
