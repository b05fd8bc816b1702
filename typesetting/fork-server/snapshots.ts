/** The frozen copies of one engine: which may resume a text, and which are removed when slots run out. */
import { commonStart, type InputState } from './inputs.ts';

export interface Snapshot {
  slot: number;
  /** How many bytes of `source` it has read: always whole lines. */
  offset: number;
  source: Buffer;
  /** What it found under each name that it looked for in its folder; null: nothing. '' as in InputState. */
  looks: ReadonlyMap<string, string | null>;
}

/** The blank engine, in slot 0: it has read nothing, and so can continue with any text. */
export const blank: Snapshot = { slot: 0, offset: 0, source: Buffer.alloc(0), looks: new Map() };

export class Snapshots {
  #all: Snapshot[] = [];

  get all(): readonly Snapshot[] {
    return this.#all;
  }

  add(snapshot: Snapshot): void {
    this.#all.push(snapshot);
    this.#all.sort((a, b) => a.offset - b.offset);
  }

  /** The furthest waiting copy from which a compile of this text may resume. */
  best(source: Buffer, state: InputState, isWaiting: (slot: number) => boolean): Snapshot {
    const fits = this.#fitting(source);
    const serves = (one: Snapshot) => fits(one) && hasSeen(one, state) && isWaiting(one.slot);
    return this.#all.findLast(serves) ?? blank;
  }

  /** How much of the text is known, whatever else a copy has looked at. */
  reach(source: Buffer): number {
    return this.#all.findLast(this.#fitting(source))?.offset ?? 0;
  }

  /** Removes those whose text has changed. */
  takeOutdated(source: Buffer): Snapshot[] {
    const fits = this.#fitting(source);
    return this.#take((snapshot) => !fits(snapshot));
  }

  /**
   * Removes `count` of them: first those that saw other files, then where they are closest together. Never
   * `keep`, nor those at `pinned` that saw these files.
   */
  takeLeastUseful(count: number, state: InputState, keep: Snapshot, pinned: ReadonlySet<number>): Snapshot[] {
    const taken: Snapshot[] = [];
    const stays = (one: Snapshot) => one === keep || (pinned.has(one.offset) && hasSeen(one, state));
    while (taken.length < count) {
      const others = this.#all.filter((snapshot) => !stays(snapshot));
      if (others.length === 0) break;
      const victim = others.find((snapshot) => !hasSeen(snapshot, state)) ?? this.#closest(others);
      taken.push(...this.#take((snapshot) => snapshot === victim));
    }
    return taken;
  }

  clear(): void {
    this.#all = [];
  }

  #take(isTaken: (snapshot: Snapshot) => boolean): Snapshot[] {
    const taken = this.#all.filter(isTaken);
    this.#all = this.#all.filter((snapshot) => !isTaken(snapshot));
    return taken;
  }

  /** The one whose neighbours are nearest to each other: removing it costs the least typesetting later. */
  #closest(among: Snapshot[]): Snapshot {
    let best = among[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const snapshot of among) {
      const place = this.#all.indexOf(snapshot);
      const next = this.#all[place + 1]?.offset ?? snapshot.source.length;
      const gap = next - (this.#all[place - 1]?.offset ?? 0);
      if (gap < least) {
        least = gap;
        best = snapshot;
      }
    }
    return best;
  }

  #fitting(source: Buffer): (snapshot: Snapshot) => boolean {
    const known = new Map<Buffer, number>();
    return (snapshot) => {
      let common = known.get(snapshot.source);
      if (common === undefined) {
        common = snapshot.source === source ? source.length : commonStart(snapshot.source, source);
        known.set(snapshot.source, common);
      }
      return snapshot.offset <= common;
    };
  }
}

/** True if a run in a folder of this state would have found what the copy found. */
function hasSeen(snapshot: Snapshot, state: InputState): boolean {
  for (const [name, hash] of snapshot.looks) if ((state.get(name) ?? null) !== hash) return false;
  return true;
}
