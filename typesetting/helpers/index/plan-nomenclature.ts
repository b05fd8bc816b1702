/** Nomenclatures, by the package nomencl. */
import { findArgument } from '../find-line.ts';
import type { Compiled, HelperPlan } from '../helper.ts';
import { makeindexTask } from './makeindex-task.ts';

const entries = 'main.nlo';
const style = 'nomencl.ist';

export function planNomenclature({ latex, left, assets }: Compiled): HelperPlan {
  const bytes = left.get(entries);
  if (!bytes || bytes.length === 0) return { tasks: [], messages: [] };
  const own = assets.find(({ name }) => name === style)?.bytes;
  const task = makeindexTask({
    entries,
    bytes,
    makes: 'main.nls',
    args: ['-s', style],
    ...(own && { style: [style, own] as const }),
    what: 'The nomenclature',
    lineOf(written) {
      const symbol = /@\[\{(.*?)\}\]/.exec(written)?.[1];
      return symbol ? findArgument(latex, /nomenclature/, symbol) : null;
    },
  });
  return { tasks: [task], messages: [] };
}
