/**
 * Prices in pounds for visitors in the UK, by the host name and the time zone of their device: nobody's address is
 * looked up for the landing page. The pricing page and the checkout ask the server (web/lib/billing/country.ts).
 */
import { guessCountry } from '#shared/api/bundles.ts';

/** Time zones of the countries that pay in pounds (IANA). */
const zones = ['Europe/London', 'Europe/Belfast', 'GB', 'GB-Eire'];

/** @param prices elements with the price in pounds as `data-pounds` */
export function showPounds(prices: Iterable<HTMLElement>): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (guessCountry(location.hostname) !== 'GB' && !zones.includes(timeZone)) return;
  for (const price of prices) price.textContent = price.dataset.pounds ?? price.textContent;
}
