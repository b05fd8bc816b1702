/** TeX's messages in plain words, and what to do about them where a rule can tell. First rule that matches speaks. */
import type { Advice, Complaint } from '../suggest.ts';
import { charactersAdvice } from './characters.ts';
import { definitionsAdvice } from './definitions.ts';
import { layoutAdvice } from './layout.ts';
import { mathsAdvice } from './maths.ts';
import { packagesAdvice } from './packages.ts';
import { picturesAdvice } from './pictures.ts';
import { structureAdvice } from './structure.ts';
import { tablesAdvice } from './tables.ts';

const rules = [
  ...definitionsAdvice,
  ...mathsAdvice,
  ...structureAdvice,
  ...tablesAdvice,
  ...packagesAdvice,
  ...picturesAdvice,
  ...charactersAdvice,
  ...layoutAdvice,
];

/** Plain words for a message; empty when no rule knows it. */
export function advise(complaint: Complaint): Advice {
  for (const { pattern, advise: speak } of rules) {
    const match = pattern.exec(complaint.message);
    if (match) return speak(match, complaint);
  }
  return {};
}
