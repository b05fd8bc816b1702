/** A program for a process pool that does as its tasks say. */
import { answerTasks } from '../answer-tasks.ts';

export type Order =
  /** Uses this much CPU time, in ms, and reports which process it was. */
  | { kind: 'burn'; cpuMs: number }
  /** Leaves this much garbage, and reports which process it was. */
  | { kind: 'litter'; megabytes: number }
  /** Keeps as much until it rests, and reports which process it was. */
  | { kind: 'keep'; megabytes: number }
  /** Waits for ever, without using CPU time. */
  | { kind: 'wait' };

const arraysOf = (megabytes: number) =>
  Array.from({ length: megabytes }, () => Array.from({ length: 131_072 }, (_, at) => at));
const kept: number[][] = [];

async function obey(task: unknown) {
  const order = task as Order;
  if (order.kind === 'wait') await new Promise(() => setInterval(() => {}, 60_000));
  if (order.kind === 'litter') arraysOf(order.megabytes);
  if (order.kind === 'keep') kept.push(...arraysOf(order.megabytes));
  const { user, system } = process.cpuUsage();
  const used = () => {
    const now = process.cpuUsage();
    return (now.user - user + now.system - system) / 1000;
  };
  while (order.kind === 'burn' && used() < order.cpuMs);
  return process.pid;
}

answerTasks(obey, 500, () => {
  kept.length = 0;
  return Promise.resolve();
});
