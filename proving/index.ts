/** Assembling's second half: the document that has compiled; and the fixes of one that does not, each tried. */

export { type FixedAll, fixAll } from './fix/fix-all.ts';
export { type TriedFix, tryFixes } from './fix/try-fixes.ts';
export type { Repairer, RepairRequest } from './mend/repairer.ts';
export { maxVerbatimShare, type Proof, type ProveOptions, proveDocument } from './prove-document.ts';
