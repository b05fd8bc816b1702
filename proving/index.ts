/** Turns assembled pages into a document that compiles, and tries fixes for one that does not. */

export { type FixedAll, fixAll } from './fix/fix-all.ts';
export { type TriedFix, tryFixes } from './fix/try-fixes.ts';
export { maxVerbatimShare, type Proof, type ProveOptions, proveDocument } from './prove-document.ts';
export type { Repairer, RepairRequest } from './repair/repairer.ts';
