/**
 * A server of one box, as a process of its own so that it can be another user's, be killed, and be given descriptors it
 * should not hand on. Standard input: a question for the probe a line, or @memory, @kill. Answers likewise.
 */
import { createInterface } from 'node:readline';
import type { SandboxKind, SandboxPaths } from '../sandbox/sandbox.ts';
import { startProbe } from './probe-box.ts';

export interface ProbeOrder {
  kind: SandboxKind;
  paths: SandboxPaths;
  home: string;
  id: number | null;
  processes: number;
}

const order: ProbeOrder = JSON.parse(process.argv[2]!);
const { box, folder, ask } = startProbe(order.kind, order.paths, order.home, order.id, {
  processes: order.processes,
});
const say = (answer: unknown) => process.stdout.write(`${answer}\n`);

say(`${process.pid} ${folder}`);
for await (const line of createInterface({ input: process.stdin })) {
  if (line === '@memory') say(await box.measureMemory());
  else if (line === '@kill') {
    box.kill();
    say((await box.ended).code);
  } else if (line === '@ended') say((await box.ended).code);
  else say(await ask(line));
}
