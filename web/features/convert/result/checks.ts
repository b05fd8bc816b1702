/** What a person should look at in a result: warnings, and the stretches the reader was unsure of. Pure. */
import type { ConversionPage } from '#shared/api/conversion.ts';

export interface DoubtfulSpot {
  page: number;
  /** The stretch as it stands in the page's LaTeX. */
  text: string;
  reason: string | null;
}

export function listDoubtfulSpots(pages: ConversionPage[]): DoubtfulSpot[] {
  return pages.flatMap((page) =>
    page.doubtful
      .map((span) => ({
        page: page.number,
        text: (page.latex ?? '').slice(span.start, span.end).trim(),
        reason: span.reason ?? null,
      }))
      .filter((spot) => spot.text !== ''),
  );
}
