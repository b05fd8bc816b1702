/**
 * The rules of docs/decisions/050-money.md as plain sums over one account: what a test expects of the product
 * after any events. Written from that page, not from the product. `readMoneyOrders` parses the page's own
 * table.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Pages, conversations. */
export type Pair = [number, number];

const kinds = ['purchase', 'refund', 'dispute'] as const;
type Targets = Record<(typeof kinds)[number], Pair>;

export const disputeRanks = { inquiry: 0, open: 1, lost: 2, won: 3 } as const;
export const refundRanks = { pending: 0, succeeded: 1, failed: 2 } as const;

interface Purchase {
  credits: Pair;
  /** Null until the money has arrived. */
  paid: number | null;
  refunds: Map<string, { amount: number; rank: number }>;
  refundedSeen: number;
  disputes: Map<string, { amount: number; rank: number }>;
  posted: Targets;
}

export type MoneyModel = ReturnType<typeof createMoneyModel>;

/** @param balance the account's balance; changed in place */
export function createMoneyModel(balance: Pair) {
  /** Oldest first. */
  const purchases = new Map<string, Purchase>();

  const targetsOf = (purchase: Purchase, isFinal: boolean): Targets => {
    const { paid, credits, refunds, refundedSeen, disputes } = purchase;
    if (paid === null) return noTargets();
    const sum = (objects: Purchase['refunds'], counts: (rank: number) => boolean) =>
      [...objects.values()].reduce((all, { amount, rank }) => all + (counts(rank) ? amount : 0), 0);
    const live = sum(refunds, (rank) => rank < refundRanks.failed);
    const dead = sum(refunds, (rank) => rank === refundRanks.failed);
    const refunded = Math.min(paid, Math.max(live, refundedSeen - dead));
    const withheld = sum(
      disputes,
      (rank) => rank === disputeRanks.lost || (rank === disputeRanks.open && !isFinal),
    );
    const taken = (back: number) =>
      credits.map((full) => Math.floor((full * Math.min(paid, back)) / paid)) as Pair;
    const [byRefunds, byBoth] = [taken(refunded), taken(refunded + withheld)];
    return {
      purchase: [...credits],
      refund: [0 - byRefunds[0], 0 - byRefunds[1]],
      dispute: [byRefunds[0] - byBoth[0], byRefunds[1] - byBoth[1]],
    };
  };

  const move = (purchase: Purchase, kind: (typeof kinds)[number], index: 0 | 1, by: number) => {
    purchase.posted[kind][index] += by;
    balance[index] += by;
  };

  const collect = (limits: Pair, isFinal: boolean, except?: Purchase) => {
    for (const purchase of purchases.values()) {
      if (purchase === except) continue;
      const targets = targetsOf(purchase, isFinal);
      for (const kind of ['refund', 'dispute'] as const)
        for (const index of [0, 1] as const) {
          const owed = Math.max(0, purchase.posted[kind][index] - targets[kind][index]);
          const takes = Math.min(owed, limits[index], balance[index]);
          move(purchase, kind, index, -takes);
          limits[index] -= takes;
        }
    }
  };

  /** Merges facts, then posts what they change. */
  const change = (id: string, merge: (purchase: Purchase) => void) => {
    const purchase = purchases.get(id);
    if (!purchase) throw new Error(`no purchase ${id}`);
    const before = { all: targetsOf(purchase, false), final: targetsOf(purchase, true) };
    merge(purchase);
    const after = { all: targetsOf(purchase, false), final: targetsOf(purchase, true) };
    const gained: Pair = [0, 0];
    for (const kind of kinds)
      for (const index of [0, 1] as const) {
        const rise = after.all[kind][index] - purchase.posted[kind][index];
        if (rise <= 0) continue;
        move(purchase, kind, index, rise);
        if (kind === 'purchase') gained[index] += rise;
      }
    for (const kind of kinds)
      for (const index of [0, 1] as const) {
        const owed = purchase.posted[kind][index] - after.all[kind][index];
        const fall = Math.max(
          before.all[kind][index] - after.all[kind][index],
          before.final[kind][index] - after.final[kind][index],
          0,
        );
        move(purchase, kind, index, -Math.min(owed, fall, balance[index]));
      }
    collect(gained, true, purchase);
  };

  const raise = (objects: Purchase['refunds'], id: string, amount: number, rank: number) => {
    const known = objects.get(id);
    objects.set(id, { amount, rank: Math.max(rank, known?.rank ?? 0) });
  };

  return {
    balance,
    /** A checkout that nobody has paid yet. */
    begin(id: string, credits: Pair) {
      const nothing = { paid: null, refunds: new Map(), refundedSeen: 0, disputes: new Map() };
      purchases.set(id, { credits, ...nothing, posted: noTargets() });
    },
    /** @param amount what the buyer has paid, in hundredths; 0 gives nothing */
    pay: (id: string, amount: number) =>
      change(id, (purchase) => {
        if (amount > 0) purchase.paid ??= amount;
      }),
    refund: (id: string, refund: string, amount: number, state: keyof typeof refundRanks) =>
      change(id, (purchase) => raise(purchase.refunds, refund, amount, refundRanks[state])),
    /** `charge.refunded` with this `amount_refunded`. */
    seeRefunded: (id: string, amount: number) =>
      change(id, (purchase) => {
        purchase.refundedSeen = Math.max(purchase.refundedSeen, amount);
      }),
    dispute: (id: string, dispute: string, amount: number, state: keyof typeof disputeRanks) =>
      change(id, (purchase) => raise(purchase.disputes, dispute, amount, disputeRanks[state])),
    /** Accepted work, or credits given by the operator: independent of any purchase. */
    spend(pages: number, conversations = 0) {
      balance[0] -= pages;
      balance[1] -= conversations;
    },
    /** Reserved credits come back. */
    release(pages: number, conversations = 0) {
      balance[0] += pages;
      balance[1] += conversations;
      collect([pages, conversations], false);
    },
    /** What could not be taken and is no longer in dispute, over all purchases. */
    owed(): Pair {
      const sum: Pair = [0, 0];
      for (const purchase of purchases.values()) {
        const targets = targetsOf(purchase, true);
        for (const kind of ['refund', 'dispute'] as const)
          for (const index of [0, 1] as const)
            sum[index] += Math.max(0, purchase.posted[kind][index] - targets[kind][index]);
      }
      return sum;
    },
  };
}

function noTargets(): Targets {
  return { purchase: [0, 0], refund: [0, 0], dispute: [0, 0] };
}

export interface MoneyStep {
  /** As in the page, e.g. `C490`, `use 55`. */
  text: string;
  /** `a` is the Starter, `b` the Power Bundle. */
  purchase: 'a' | 'b';
  /** `P`, `U`, `F`, `X`, `R`, `Rp`, `Rf`, `C`, `Do`, `Dl`, `Dw`, `Di`, `use`, `reserve`, `free`, `talk` or `grant`. */
  act: string;
  /** Hundredths, pages or conversations; null if the page gives none: the whole price. */
  amount: number | null;
  balance: Pair;
}

/** The rows of “Order of events”. @throws Error for a step that cannot be parsed */
export function readMoneyOrders(): { number: number; steps: MoneyStep[] }[] {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/decisions/050-money.md'), 'utf8');
  const rows = [...page.slice(page.indexOf('## Order of events')).matchAll(/^\| (\d+) \| (.+) \|$/gm)];
  return rows.map(([, number, text = '']) => ({
    number: Number(number),
    steps: text
      .replace(/ \([^)]*\)/g, '')
      .split(' → ')
      .map(readStep),
  }));
}

function readStep(text: string): MoneyStep {
  const parts =
    /^(b:)?(P|U|F|X|Rp|Rf|R|C|Do|Dl|Dw|Di|use|reserve|free|talk|grant) ?(\d+)? (\d+)\/(\d+)$/.exec(text);
  if (!parts) throw new Error(`a step that cannot be read: ${text}`);
  const [, b, act = '', amount, pages, conversations] = parts;
  return {
    text,
    purchase: b ? 'b' : 'a',
    act,
    amount: amount === undefined ? null : Number(amount),
    balance: [Number(pages), Number(conversations)],
  };
}
