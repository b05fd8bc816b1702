/** All helpers; each examines what a compile left and says what it would run. */
import { isPlaceableName } from '../sandbox/job-folder.ts';
import { planBiber } from './bibliography/plan-biber.ts';
import { planBibtex } from './bibliography/plan-bibtex.ts';
import type { Compiled, HelperPlan } from './helper.ts';
import { planGlossaries } from './index/plan-glossaries.ts';
import { planIndexes } from './index/plan-indexes.ts';
import { planNomenclature } from './index/plan-nomenclature.ts';
import { planNotRun } from './not-run.ts';

const planners = [planBibtex, planBiber, planIndexes, planGlossaries, planNomenclature, planNotRun];

export function planHelpers(compiled: Compiled): HelperPlan {
  const plans = planners.map((plan) => plan(compiled));
  return {
    // the document chooses its lists' names
    tasks: plans.flatMap(({ tasks }) => tasks).filter(({ makes }) => isPlaceableName(makes)),
    messages: plans.flatMap(({ messages }) => messages),
  };
}
