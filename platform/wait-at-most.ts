/**
 * The result of `work`, or `instead` if there is none within `ms`. The work continues; a later failure is
 * ignored.
 */
export async function waitAtMost<T>(ms: number, work: Promise<T>, instead: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(instead), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
