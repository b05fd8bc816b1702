/** The list of a conversion's pages, as they become known. Pure. */
import type { ConversionPage } from '#shared/api/conversion.ts';

export function waitingPages(count: number, known: ConversionPage[]): ConversionPage[] {
  return Array.from(
    { length: count },
    (_, index) =>
      known[index] ?? { number: index + 1, state: 'waiting' as const, warnings: [], doubtful: [] },
  );
}

export function putPage(pages: ConversionPage[], page: ConversionPage): ConversionPage[] {
  const padded = pages.length < page.number ? waitingPages(page.number, pages) : pages;
  return padded.map((known) => (known.number === page.number ? page : known));
}
