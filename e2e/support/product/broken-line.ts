/** A connection that breaks in the middle of a conversion, at the same event however fast pages are read. */
import type { Page } from '@playwright/test';

const eventStream = /\/api\/v1\/conversions\/[^/]+\/events$/;
const conversion = /\/api\/v1\/conversions\/[^/]+$/;

/**
 * Lets the browser follow the next conversion until its first page is read, and blocks everything after that:
 * both its stream and its state. The server continues.
 * @returns a function that lets everything through again
 */
export async function breakLine(page: Page): Promise<() => Promise<void>> {
  let isBroken = false;
  await page.route(eventStream, async (route) => {
    if (isBroken) return route.abort('internetdisconnected');
    isBroken = true;
    const { url, headers } = { url: route.request().url(), headers: route.request().headers() };
    const answer = await fetch(url, { headers });
    let body = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      body += piece;
      const firstRead = /^[\s\S]*?"state":"read"[\s\S]*?\n\n/.exec(body);
      if (firstRead === null) continue;
      body = firstRead[0];
      break;
    }
    return route.fulfill({ headers: { 'Content-Type': 'text/event-stream' }, body });
  });
  await page.route(conversion, (route) => route.abort('internetdisconnected'));
  return async () => {
    await page.unroute(eventStream);
    await page.unroute(conversion);
  };
}
