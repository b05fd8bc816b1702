/** Credits: the room's interface for the rest of the server. */
export { type BalanceCheck, type CreditDifference, checkBalances } from './check-balances.ts';
export {
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
  registerPaymentEvents,
  registerPayments,
  startPaymentSweeper,
  sumSales,
} from './checkout/index.ts';
export { setDocumentLimit } from './document-limit.ts';
export { exportCreditsOf } from './export-credits.ts';
export {
  type Balance,
  type CreditEntry,
  lockBalance,
  movePageTotal,
  postEntry,
  readBalance,
} from './ledger.ts';
export { type ListedEntry, listEntries } from './list-entries.ts';
export { startReservationSweeper } from './reservation-sweeper.ts';
export {
  listOpenConversions,
  releaseChange,
  releasePages,
  reserveChange,
  reservePages,
  settleChange,
  settlePages,
  sweepReservations,
} from './reservations.ts';
