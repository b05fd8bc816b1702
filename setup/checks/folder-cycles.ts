/**
 * Finds sibling folders that import each other, directly or through others: each then needs the other to be
 * understood.
 */

interface Edge {
  from: string;
  to: string;
}

/**
 * @param imports between files, as paths relative to the project's root, without those of tests
 * @returns for each two folders in one cycle, the first import that leads from one to the other
 */
export function findFolderCycles(imports: readonly Edge[]): Edge[] {
  const bySiblings = new Map<string, Map<string, Map<string, Edge>>>();
  for (const edge of imports) {
    const siblings = siblingFolders(edge);
    if (!siblings) continue;
    const { parent, from, to } = siblings;
    const graph = getOrAdd(bySiblings, parent, () => new Map<string, Map<string, Edge>>());
    const targets = getOrAdd(graph, from, () => new Map<string, Edge>());
    if (!targets.has(to)) targets.set(to, edge);
  }
  return [...bySiblings.values()].flatMap((graph) =>
    [...graph].flatMap(([from, targets]) =>
      [...targets].filter(([to]) => reaches(graph, to, from)).map(([, edge]) => edge),
    ),
  );
}

/**
 * The two folders directly below the deepest folder that contains both files; null if a file is directly in
 * that folder.
 */
function siblingFolders({ from, to }: Edge): { parent: string; from: string; to: string } | null {
  const [a, b] = [from.split('/'), to.split('/')];
  let shared = 0;
  while (a[shared] === b[shared] && shared < a.length - 1) shared++;
  if (shared >= a.length - 1 || shared >= b.length - 1) return null;
  return { parent: a.slice(0, shared).join('/'), from: a[shared]!, to: b[shared]! };
}

function reaches(graph: ReadonlyMap<string, ReadonlyMap<string, Edge>>, start: string, goal: string) {
  const seen = new Set([start]);
  for (const folder of seen) for (const next of graph.get(folder)?.keys() ?? []) seen.add(next);
  return seen.has(goal);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
