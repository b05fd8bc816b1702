import lighthouse from 'lighthouse';
import { median } from '#reading/box.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

export interface PageScore {
  /** 0 … 100; for performance the median of the rounds, for the others the lowest. */
  scores: Record<Category, number>;
  /**
   * From the median round: largest paint, blocking time and loading of the bundled scripts, as Lighthouse
   * prints them.
   */
  figures: string;
  /** Audits that cost points, by Lighthouse's ids. */
  lost: string[];
}

/**
 * Lighthouse's own mobile emulation: a phone, a CPU four times slower, a simulated slow 4G. @param port of a
 * browser's DevTools
 */
export async function scorePage(url: string, port: number, rounds: number): Promise<PageScore> {
  const results: { scores: Record<Category, number>; figures: string; lost: string[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const run = await lighthouse(url, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: [...categories],
    });
    if (!run) throw new Error(`Lighthouse had nothing to say of ${url}.`);
    const { lhr } = run;
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    const scores = Object.fromEntries(
      categories.map((id) => [id, Math.round((lhr.categories[id]?.score ?? 0) * 100)]),
    ) as Record<Category, number>;
    const weighed = categories.flatMap((id) =>
      (lhr.categories[id]?.auditRefs ?? []).filter(({ weight }) => weight > 0).map((ref) => ref.id),
    );
    const lost = [...new Set(weighed)].filter((id) => {
      const score = lhr.audits[id]?.score;
      return typeof score === 'number' && score < 0.9;
    });
    const figures = (['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'] as const)
      .map((id) => `${id} ${lhr.audits[id]?.displayValue ?? '–'}`)
      .join(', ');
    results.push({ scores, figures, lost });
  }
  const byPerformance = results.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const middle = byPerformance[byPerformance.length >> 1]!;
  return {
    scores: {
      performance: median(results.map(({ scores }) => scores.performance)),
      accessibility: Math.min(...results.map(({ scores }) => scores.accessibility)),
      'best-practices': Math.min(...results.map(({ scores }) => scores['best-practices'])),
      seo: Math.min(...results.map(({ scores }) => scores.seo)),
    },
    figures: middle.figures,
    lost: middle.lost,
  };
}
