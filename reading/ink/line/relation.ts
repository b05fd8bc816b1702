/** Tokens that relate what is before them to what is after. */
export const relation = /^(?:[=<>]|\\(?:leq?|geq?|neq?|approx|equiv|to|sim|in|subset|Rightarrow|mapsto))$/;
