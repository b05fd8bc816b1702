/**
 * State shared by all questions to one vendor. A wait that one of them learns of (Retry-After) applies to all.
 * And if the vendor is down, one of them keeps trying while the others wait for the result:
 *
 *   works ──a try fails──► suspected ──its tries are used up──► down ──a probe succeeds──► works
 *                          one tries again, the others wait      a probe now and then
 *   works ──the key is refused──────────────────────────────────► down
 *
 * A question to a vendor that is known to be down waits as long as its caller allows, or not at all if the
 * vendor refuses the key; then it fails without having been asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outages, silentOutages } from '../outages.ts';

/** What an attempt says about the vendor. `unknown`: it concerns this answer only, such as one that took too long. */
export type Standing = 'works' | 'refused' | 'down' | 'unknown';

interface Trouble {
  kind: 'refused' | 'down';
  /** For the operator: one clause. */
  reason: string;
  /** When it became certain; null while one visit finds out. */
  declaredAt: number | null;
  /** The visit that is asking; null between two probes. */
  probe: Visit | null;
  nextProbeAt: number;
  pauseMs: number;
}

/** Wait between two probes, in ms; doubled up to the longest. Nobody fixes a key in seconds. */
const firstPauseMs = { down: 5_000, refused: 20_000 };
const longestPauseMs = 60_000;

export class VendorGate {
  readonly #outages: Outages;
  #opensAt = 0;
  #trouble: Trouble | null = null;
  #change = Promise.withResolvers<void>();

  /** @param outages notified when the vendor is unavailable, and when it works again */
  constructor(outages: Outages = silentOutages) {
    this.#outages = outages;
  }

  /** One question with all its attempts. @param patienceMs how far into an outage it is worth waiting */
  visit(maxOutageMs = 0): Visit {
    return new Visit(this, maxOutageMs);
  }

  closeFor(ms: number): void {
    this.#opensAt = Math.max(this.#opensAt, Date.now() + ms);
  }

  /** Null if it may ask; otherwise why the vendor cannot be asked. */
  async enter(visit: Visit, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      await this.#passRate(signal);
      const trouble = this.#trouble;
      if (!trouble || trouble.probe === visit) return null;
      const now = Date.now();
      if (trouble.probe === null && now >= trouble.nextProbeAt) {
        trouble.probe = visit;
        return null;
      }
      const until = this.#waitsUntil(trouble, visit);
      if (now >= until) return trouble.reason;
      const next = trouble.probe === null ? Math.min(until, trouble.nextProbeAt) : until;
      const waited = new AbortController();
      const either = AbortSignal.any([signal, waited.signal]);
      const pause = sleep(Math.min(next - now, longestPauseMs), undefined, { signal: either }).catch(
        () => {},
      );
      await Promise.race([this.#change.promise, pause]);
      waited.abort();
      signal.throwIfAborted();
    }
  }

  note(visit: Visit, standing: Standing, reason: string): void {
    const trouble = this.#trouble;
    const isProbe = trouble?.probe === visit;
    if (standing === 'works') this.#recover();
    else if (standing === 'refused' && !(isProbe && trouble.kind === 'refused'))
      this.#declare('refused', reason);
    else if (standing === 'down' && !trouble)
      this.#trouble = {
        kind: 'down',
        reason,
        declaredAt: null,
        probe: visit,
        nextProbeAt: 0,
        pauseMs: firstPauseMs.down,
      };
    else if (!isProbe) return;
    // it accepts the question and is merely slow with it: the others may find out for themselves
    else if (trouble.declaredAt === null && standing === 'unknown') this.#set(null);
    else if (trouble.declaredAt !== null) this.#pauseProbes(trouble);
  }

  /** True if this visit should keep waiting for a vendor that is down. */
  isWorthWaiting(visit: Visit): boolean {
    const trouble = this.#trouble;
    return !!trouble && trouble.declaredAt !== null && Date.now() < this.#waitsUntil(trouble, visit);
  }

  /** Its attempts are used up. */
  giveUp(visit: Visit): void {
    const trouble = this.#trouble;
    if (trouble?.probe === visit && trouble.declaredAt === null) this.#declare('down', trouble.reason);
  }

  /** To be called however the visit ended; an aborted probe is left to another. */
  leave(visit: Visit): void {
    const trouble = this.#trouble;
    if (trouble?.probe !== visit) return;
    trouble.probe = null;
    this.#set(trouble.declaredAt === null ? null : trouble);
  }

  #waitsUntil({ kind, declaredAt }: Trouble, { maxOutageMs }: Visit): number {
    if (declaredAt === null) return Number.POSITIVE_INFINITY;
    return kind === 'refused' ? 0 : declaredAt + maxOutageMs;
  }

  #declare(kind: Trouble['kind'], reason: string): void {
    this.#outages.failed('ai', reason);
    const now = Date.now();
    this.#set({
      kind,
      reason,
      declaredAt: now,
      probe: null,
      nextProbeAt: now + firstPauseMs[kind],
      pauseMs: firstPauseMs[kind],
    });
  }

  #pauseProbes(trouble: Trouble): void {
    trouble.pauseMs = Math.min(trouble.pauseMs * 2, longestPauseMs);
    trouble.nextProbeAt = Date.now() + trouble.pauseMs;
    trouble.probe = null;
    this.#set(trouble);
  }

  #recover(): void {
    this.#outages.works('ai');
    if (this.#trouble) this.#set(null);
  }

  #set(trouble: Trouble | null): void {
    this.#trouble = trouble;
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }

  async #passRate(signal: AbortSignal): Promise<void> {
    for (let waitMs = this.#opensAt - Date.now(); waitMs > 0; waitMs = this.#opensAt - Date.now()) {
      // so that callers that waited together do not all return at the same instant
      await sleep(waitMs + Math.random() * 250, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

export class Visit {
  readonly #gate: VendorGate;
  readonly maxOutageMs: number;

  constructor(gate: VendorGate, maxOutageMs: number) {
    this.#gate = gate;
    this.maxOutageMs = maxOutageMs;
  }

  enter(signal: AbortSignal): Promise<string | null> {
    return this.#gate.enter(this, signal);
  }

  note(standing: Standing, reason: string): void {
    this.#gate.note(this, standing, reason);
  }

  get isWorthWaiting(): boolean {
    return this.#gate.isWorthWaiting(this);
  }

  giveUp(): void {
    this.#gate.giveUp(this);
  }

  leave(): void {
    this.#gate.leave(this);
  }
}
