/** The rooms at the top of the tree (docs/architecture.md), for what guards them and what looks for their tests. */

/** The crafts from the ground up: each row may import the rows before it. */
export const craftOrder = [['shared'], ['latex'], ['platform'], ['typesetting', 'reading'], ['proving']];
export const crafts = craftOrder.flat();
/** All that is code of ours and has tests. */
export const rooms = [...crafts, 'server', 'web', 'bench', 'setup', 'site', 'test-support', 'e2e'];
