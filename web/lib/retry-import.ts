/** Parts of the app that are fetched when they are first shown: a connection that is gone for a while must cost no screen. */

/** Tries while there is a connection, and the waits between them, in ms. */
const waitsMs = [500, 1_500, 4_000];

/**
 * Loads again what could not be loaded: without a connection as soon as there is one, else after a moment.
 * @throws what the last try threw, when the connection is there and the file is not.
 */
export async function retryImport<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) {
        const waitMs = waitsMs[tries++];
        if (waitMs === undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      } else await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    }
  }
}
