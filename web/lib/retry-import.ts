/** Parts of the app that are loaded when first shown: a connection lost for a while must not break a screen. */

/** Waits between attempts while online, in ms. */
const waitsMs = [500, 1_500, 4_000];

/**
 * Retries a failed import: when offline, as soon as there is a connection; otherwise after a moment.
 * @throws the last attempt's error, if there is a connection and the file cannot be loaded
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
