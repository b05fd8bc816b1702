/** Changes that need no model: the published set of exact edits, or a plain refusal. */
export function changeExactly(
  _latex: string,
  _feedback: string,
): { kind: 'changed'; latex: string } | { kind: 'declined'; message: string } {
  return { kind: 'declined', message: 'not here yet' };
}
