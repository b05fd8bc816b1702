/**
 * A server of one box, as a separate process so that it can run as another user, be killed, and be given
 * descriptors it should not pass on. Standard input: one question for the probe per line, or @memory, @kill.
 * Answers likewise.
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
