/** Assembling's second half: the document that has compiled. */

export type { Repairer, RepairRequest } from './mend/repairer.ts';
export { maxVerbatimShare, type Proof, type ProveOptions, proveDocument } from './prove-document.ts';
