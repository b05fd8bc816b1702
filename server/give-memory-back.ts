/**
 * Collects the garbage of work that is over: V8 leaves it where it is as long as nothing new is made, which at rest is
 * 30 MB and after a conversion 80.
 */
const lookEveryMs = 10_000;
/** Share of one core; a server at rest, with its sweepers and polls, uses a hundredth. */
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
