/**
 * What `work` comes to, or `instead` when it has come to nothing in `ms`. It goes on meanwhile; a failure that comes
 * after that is nobody's.
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
