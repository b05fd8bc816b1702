/** How a document numbers its theorems: which kinds share a counter, and below which level of headings it counts. */

/** What has a number, in the order of the document. */
export type Numbered =
  | { kind: 'heading'; number: string }
  | { kind: 'theorem'; name: string; number: string };

/** Kinds that share a counter. */
export interface CounterGroup {
  names: string[];
  /** Levels of headings in the number: 1 for 2.3, which is the third of section 2. */
  depth: number;
}

/** What a counter would print next; null if it is not known. */
interface Place {
  prefix: string;
  value: number;
}

/** Counters of headings, from the first level on. */
export const levels = ['section', 'subsection', 'subsubsection'];

/** Groups the kinds so that as few numbers as possible jump. */
export function groupCounters(events: readonly Numbered[]): CounterGroup[] {
  const byName = new Map<string, number[]>();
  for (const event of events)
    if (event.kind === 'theorem')
      byName.set(event.name, [...(byName.get(event.name) ?? []), depthOf(event.number)]);
  let groups: CounterGroup[] = [...byName].map(([name, depths]) => ({
    names: [name],
    depth: commonest(depths),
  }));
  let jumps = countJumps(events, groups);
  for (;;) {
    let best: { groups: CounterGroup[]; jumps: number } | null = null;
    for (const [i, a] of groups.entries()) {
      for (const b of groups.slice(i + 1)) {
        if (a.depth !== b.depth) continue;
        const merged = [
          ...groups.filter((g) => g !== a && g !== b),
          { names: [...a.names, ...b.names], depth: a.depth },
        ];
        const left = countJumps(events, merged);
        if (left < (best?.jumps ?? jumps)) best = { groups: merged, jumps: left };
      }
    }
    if (!best) return groups;
    ({ groups, jumps } = best);
  }
}

function countJumps(events: readonly Numbered[], groups: readonly CounterGroup[]): number {
  const numbering = new Numbering(groups, true);
  let jumps = 0;
  for (const event of events) {
    if (event.kind === 'theorem' && numbering.next(event.name) !== event.number) jumps += 1;
    numbering.pass(event);
  }
  return jumps;
}

/** The state of a document's counters while it is written. */
export class Numbering {
  readonly #groups: readonly CounterGroup[];
  readonly #places = new Map<CounterGroup, Place | null>();
  #heading: string[] | null;

  /** `isStart`: at the beginning of the document all counters are at 0; elsewhere they are not known. */
  constructor(groups: readonly CounterGroup[], isStart: boolean) {
    this.#groups = groups;
    this.#heading = isStart ? [] : null;
    for (const group of groups) this.#places.set(group, isStart ? { prefix: '', value: 0 } : null);
  }

  groupOf(name: string): CounterGroup | null {
    return this.#groups.find((group) => group.names.includes(name)) ?? null;
  }

  /** The number that LaTeX prints for the next theorem of this kind; null if it is not known. */
  next(name: string): string | null {
    const group = this.groupOf(name);
    const place = group ? this.#places.get(group) : null;
    if (!group || !place) return null;
    const prefix = this.#prefix(group.depth);
    if (prefix === null) return null;
    const value = place.prefix === prefix ? place.value + 1 : 1;
    return [...(prefix === '' ? [] : [prefix]), value].join('.');
  }

  /** Whether LaTeX prints this prefix here. */
  isUnder(number: string): boolean {
    const parts = number.split('.').slice(0, -1);
    return this.#prefix(parts.length) === parts.join('.');
  }

  pass(event: Numbered): void {
    if (event.kind === 'heading') {
      this.#heading = event.number.split('.');
      return;
    }
    const group = this.groupOf(event.name);
    if (!group || depthOf(event.number) !== group.depth) return;
    const parts = event.number.split('.');
    const value = Number(parts.pop());
    this.#places.set(group, { prefix: parts.join('.'), value });
  }

  #prefix(depth: number): string | null {
    const heading = this.#heading;
    if (heading === null) return null;
    return Array.from({ length: depth }, (_, k) => heading[k] ?? '0').join('.');
  }
}

/** The counter of headings that a group counts below, as \newtheorem takes it. */
export function withinOption(group: CounterGroup | null): string {
  const level = levels[(group?.depth ?? 0) - 1];
  return level ? `[${level}]` : '';
}

export function depthOf(number: string): number {
  return number.split('.').length - 1;
}

function commonest(list: readonly number[]): number {
  const count = (value: number) => list.filter((other) => other === value).length;
  return [...list].sort((a, b) => count(b) - count(a))[0] ?? 0;
}
