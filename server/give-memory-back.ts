/**
 * Collects garbage after work: otherwise V8 keeps it while nothing new is allocated, 30 MB when idle and 80 MB after a
 * conversion.
 */
const lookEveryMs = 10_000;
/** Share of one core; an idle server, with its sweepers and polls, uses a hundredth. */
const idleShare = 0.03;
/** Work that leaves garbage worth collecting. */
const worthCpuMs = 300;

/** Does nothing unless Node was started with --expose-gc, as by ./inkproof. @returns what ends it */
export function giveMemoryBack(): () => void {
  const collect = globalThis.gc;
  if (!collect) return () => {};
  let seen = 0;
  let collected = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    const used = (user + system) / 1_000;
    const isIdle = used - seen < idleShare * lookEveryMs;
    seen = used;
    if (!isIdle || used - collected < worthCpuMs) return;
    // an ordinary collection keeps the pages it has freed
    void collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
    collected = used;
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
