/**
 * The text-layer reader on every PDF of fixtures/pdf (or of the folder named in TEXT_LAYER_FOLDER) whose source lies
 * beside it: prose kept, displayed formulas that typeset the same, verbatim share, what compiles, time a page.
 * Baseline: the words of poppler's pdftotext, measured the same way.
 */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { createTextLayerReader } from '../server/conversion/transcribers/text-layer/reader.ts';
import { proseOf, similarity } from '../server/conversion/transcribers/text-layer/testing/displays.ts';
import { sourcedPdfs, workDir } from '../server/conversion/transcribers/text-layer/testing/fixtures.ts';
import { scoreDocument } from '../server/conversion/transcribers/text-layer/testing/score-document.ts';
import { createTypesetter } from '../server/typesetting/index.ts';
import type { Measurement } from './measurement.ts';

export async function measure(): Promise<Measurement> {
  const typesetter = await createTypesetter({ workDir });
  const reader = createTextLayerReader();
  const details: Record<string, string> = {};
  const totals = { exact: 0, displays: 0, text: 0, plain: 0, proved: 0, count: 0 };
  try {
    for (const { name, pdf, source } of sourcedPdfs(process.env.TEXT_LAYER_FOLDER)) {
      const score = await scoreDocument(name, pdf, source, reader, typesetter);
      const plain = execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' })
        .normalize('NFC')
        .toLowerCase();
      const plainWords = plain.replace(/-\n/g, '').match(/\p{L}{2,}/gu) ?? [];
      totals.exact += score.exact;
      totals.displays += score.displays;
      totals.text += score.text;
      totals.plain += similarity(proseOf(source), plainWords.join(' '));
      totals.proved += score.isProved ? 1 : 0;
      totals.count += 1;
      details[name] =
        `text ${score.text.toFixed(4)}, formulas ${score.exact}/${score.displays}, verbatim ${(score.verbatim * 100).toFixed(2)} %, ` +
        `${score.isProved ? 'compiles' : 'does not compile whole'}, ${Math.round(score.msPerPage)} ms a page`;
      for (const miss of score.misses)
        details[`${name}, lost ${score.misses.indexOf(miss) + 1}`] =
          `${miss.why} — ${miss.truth.replace(/\s+/g, ' ')}`;
    }
  } finally {
    await reader.close();
    await typesetter.close();
  }
  details.all = `${totals.proved} of ${totals.count} compile, formulas ${totals.exact}/${totals.displays}, text ${(totals.text / totals.count).toFixed(4)}`;
  return { ratio: totals.text / totals.plain, baseline: "words kept by poppler's pdftotext", details };
}
