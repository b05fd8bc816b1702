/** The rooms at the top of the tree (docs/architecture.md), for the checks and for finding tests. */

/** The crafts in order: each row may import the rows before it. */
export const craftOrder = [['shared'], ['latex'], ['platform'], ['typesetting', 'reading'], ['proving']];
export const crafts = craftOrder.flat();
/** Everything that is our code and has tests. */
export const rooms = [...crafts, 'server', 'web', 'bench', 'setup', 'site', 'test-support', 'e2e'];
