import { describe, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { createMoneyModel, type MoneyModel, type MoneyStep, readMoneyOrders } from './money-model.ts';

const prices = { a: 490, b: 790 };

function start(): MoneyModel {
  const model = createMoneyModel([10, 5]);
  model.begin('a', [60, 30]);
  model.begin('b', [130, 70]);
  return model;
}

type Act = (model: MoneyModel, purchase: 'a' | 'b', amount: number) => void;

const acts: Record<string, Act> = {
  P: (model, purchase, amount) => model.pay(purchase, amount),
  // nothing has been paid
  U: () => {},
  F: () => {},
  X: () => {},
  R: (model, purchase, amount) => model.refund(purchase, `re${amount}`, amount, 'succeeded'),
  Rp: (model, purchase, amount) => model.refund(purchase, `re${amount}`, amount, 'pending'),
  Rf: (model, purchase, amount) => model.refund(purchase, `re${amount}`, amount, 'failed'),
  C: (model, purchase, amount) => model.seeRefunded(purchase, amount),
  Do: (model, purchase, amount) => model.dispute(purchase, 'du', amount, 'open'),
  Dl: (model, purchase, amount) => model.dispute(purchase, 'du', amount, 'lost'),
  Dw: (model, purchase, amount) => model.dispute(purchase, 'du', amount, 'won'),
  Di: (model, purchase, amount) => model.dispute(purchase, 'du', amount, 'inquiry'),
  use: (model, _, amount) => model.spend(amount),
  reserve: (model, _, amount) => model.spend(amount),
  talk: (model, _, amount) => model.spend(0, amount),
  grant: (model, _, amount) => model.spend(-amount),
  free: (model, _, amount) => model.release(amount),
};

function take(model: MoneyModel, { act, amount, purchase }: Pick<MoneyStep, 'act' | 'amount' | 'purchase'>) {
  acts[act]!(model, purchase, amount ?? prices[purchase]);
}

test.each(readMoneyOrders())('order $number of the page follows the rules', ({ steps }) => {
  const model = start();
  for (const step of steps) {
    take(model, step);
    expect([step.text, ...model.balance]).toEqual([step.text, ...step.balance]);
  }
});

test('the page has all its rows', () => {
  const rows = readMoneyOrders();
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThanOrEqual(30);
});

describe('if nothing is spent, order and repetition make no difference', () => {
  test.each([
    [
      ['P', 'U', 'Rp100', 'R100', 'C100', 'Rp390', 'Rf390', 'C490'],
      [58, 29],
    ],
    [
      ['P', 'Do', 'Dw', 'R100', 'C100'],
      [58, 29],
    ],
    [
      ['P', 'Di', 'Do', 'Dl', 'C100'],
      [10, 5],
    ],
  ] as const)('%j', (events, balance) => {
    const { next: random } = createRandom(1);
    for (let round = 0; round < 300; round++) {
      const order = [...events, ...events]
        .map((event) => ({ event, place: random() }))
        .sort((one, other) => one.place - other.place);
      const model = start();
      for (const { event } of order) {
        const [, act = '', amount] = /^(\D+)(\d+)?$/.exec(event) ?? [];
        take(model, { act, amount: amount === undefined ? null : Number(amount), purchase: 'a' });
        expect(Math.min(...model.balance)).toBeGreaterThanOrEqual(0);
      }
      expect([order.map(({ event }) => event), model.balance]).toEqual([
        order.map(({ event }) => event),
        balance,
      ]);
    }
  });
});

test('credits owed are those spent of refunded money', () => {
  const model = start();
  model.pay('a', 490);
  model.spend(55);
  model.seeRefunded('a', 490);
  expect([model.balance, model.owed()]).toEqual([
    [0, 5],
    [45, 0],
  ]);
  model.pay('b', 790);
  expect([model.balance, model.owed()]).toEqual([
    [85, 75],
    [0, 0],
  ]);
});
