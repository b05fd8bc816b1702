/** The basis of the operator's money commands: the database, and Stripe as the server would ask it. */
import { pino } from 'pino';
import { loadSecretKeys, prepareDataDir } from '#platform/data-dir.ts';
import { parseEnv } from '#platform/env.ts';
import {
  findPurchaseProblems,
  findRefundable,
  type MonthlySales,
  openPaymentService,
  type PaymentService,
  type Purchase,
  type PurchaseProblem,
  readRefundable,
  reconcile,
  refundPages,
  refundPurchase,
  sumSales,
} from '../../credits/index.ts';
import { openDatabase } from '../../database/database.ts';
import { findAccountByEmail } from './open-ledger.ts';

export interface OpenedMoney {
  mode: PaymentService['mode'];
  findAccount(email: string): Promise<{ id: string; email: string } | null>;
  findRefundable(by: { purchaseId: string } | { userId: string }): Promise<Purchase | null>;
  /** In hundredths. */
  readRefundable(purchase: Purchase): Promise<number>;
  refund(purchase: Purchase, amount: number): Promise<{ isSettled: boolean }>;
  refundPages(options: Parameters<typeof refundPages>[1]): ReturnType<typeof refundPages>;
  /** @throws Error without a Stripe key */
  reconcile(period: { since: Date; until: Date }): ReturnType<typeof reconcile>;
  findProblems(): Promise<PurchaseProblem[]>;
  sumSales(mode: PaymentService['mode']): Promise<MonthlySales[]>;
  close(): Promise<void>;
}

/** @throws Error with a sentence for the operator */
export async function openMoney(
  source: Record<string, string | undefined>,
  onNotice: (notice: string) => void,
): Promise<OpenedMoney> {
  const env = parseEnv(source);
  await prepareDataDir(env.DATA_DIR);
  const service = openPaymentService(env, (await loadSecretKeys(env)).present);
  const logger = pino({ level: 'silent' });
  const { db, close } = await openDatabase(env, { onNotice });
  const deps = { db, service, logger };
  return {
    mode: service.mode,
    findAccount: (email) => findAccountByEmail(db, email),
    findRefundable: (by) => findRefundable(db, by),
    readRefundable: (purchase) => readRefundable(db, purchase),
    refund: (purchase, amount) => refundPurchase(deps, purchase, amount),
    refundPages: (options) => refundPages(db, options),
    reconcile(period) {
      if (!service.stripe) throw new Error('There is nothing to compare with: STRIPE_SECRET_KEY is not set.');
      return reconcile({ db, stripe: service.stripe, logger }, period);
    },
    findProblems: () => findPurchaseProblems(db),
    sumSales: (mode) => sumSales(db, mode),
    close,
  };
}
