/** Proving beyond single broken inputs: time-outs, cancelling, repair by the model, many pages, and seeded damage. */
import { describe, expect, test } from 'vitest';
import { shareOfWords } from '#latex/source/unicode.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { chooseFrom } from '../test-support/matrix.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';
import { createRandom } from '../test-support/random.ts';
import { maxVerbatimShare, type ProveOptions, proveDocument } from './prove-document.ts';
import type { RepairRequest } from './repair/repairer.ts';
import { fixtureDocuments, page } from './testing/fixture-pages.ts';
import { mutatePages } from './testing/mutate.ts';

const { typesetter } = await openTypesetter();

const prove = (options: Partial<ProveOptions> & Pick<ProveOptions, 'pages'>) =>
  proveDocument({ assets: [], typesetter, owner: 'test', signal: new AbortController().signal, ...options });

const sound =
  'A sound paragraph that has to stay as it is, whatever stands around it on this page or the next.';
/** No rule repairs this: a primitive where TeX does not allow it. */
const hopeless = 'Some words \\accent\\halign here.';

describe('sound documents', () => {
  for (const { name, pages } of chooseFrom(import.meta.filename, fixtureDocuments(), 1)) {
    test(`${name} passes in one compile, word for word`, async () => {
      const proof = await prove({ pages });
      expect(proof).toMatchObject({ kind: 'proved', compileCount: 1, failedPages: [] });
      if (proof.kind !== 'proved') return;
      expect(
        shareOfWords(
          pages.map((one) => one.page.body),
          proof.latex,
        ),
      ).toBe(1);
      expect(Object.values(proof.verbatimShare).every((share) => share === 0)).toBe(true);
    });
  }
});

describe('an endless loop', () => {
  test('is isolated and the rest is kept', { timeout: 180_000 }, async () => {
    const endless =
      '\\pgfmathsetmacro{\\n}{1} \\tikz \\foreach \\x in {1,...,900000000} { \\pgfmathparse{\\x*2} };';
    const proof = await prove({
      pages: [page(1, `${sound}\n\n${sound}\n\n${sound}\n\n${endless}\n\n${sound}`), page(2, sound)],
      compileCpuMs: 6_000,
    });
    expect(proof.kind).toBe('proved');
    if (proof.kind !== 'proved') return;
    expect(proof.latex.split(sound)).toHaveLength(6);
    expect(proof.failedPages).toEqual([]);
    expect(proof.warnings.map(({ code, page: number }) => [code, number])).toContainEqual([
      'KEPT_VERBATIM',
      1,
    ]);
  });
});

describe('a loaded machine', () => {
  const starved = { kind: 'refused', reason: 'busy', isStarved: true, retryAfterSeconds: 1 } as const;

  test('loses no page: a compile that got no CPU time is repeated', async () => {
    let tries = 0;
    const busy: Typesetter = {
      ...typesetter,
      compile: async (job) => (++tries <= 2 ? starved : typesetter.compile(job)),
    };
    const proof = await prove({ pages: [page(1, sound)], typesetter: busy });
    expect(proof).toMatchObject({ kind: 'proved', failedPages: [], warnings: [] });
  });

  test('that stays overloaded ends the attempt without failing the page', async () => {
    const busy: Typesetter = { ...typesetter, compile: async () => starved };
    await expect(prove({ pages: [page(1, sound)], typesetter: busy })).rejects.toMatchObject({
      code: 'BUSY',
    });
  });
});

describe('languages', () => {
  const languages = [
    'french',
    'german',
    'spanish',
    'italian',
    'portuguese',
    'dutch',
    'polish',
    'czech',
    'catalan',
  ];
  test.each(chooseFrom(import.meta.filename, languages))('%s compiles as it is', async (language) => {
    const body =
      'Text "a" with: words; $x=1$, <a> `b\' ~ \\[ \\lim_{x\\to 0} \\sin x \\] \\begin{itemize}\\item a\\end{itemize}';
    const proof = await prove({ pages: [page(1, body, { layout: { language } })] });
    expect(proof).toMatchObject({ kind: 'proved', compileCount: 1 });
    if (proof.kind === 'proved') expect(proof.latex).toContain('{babel}');
  });
});

describe('cancelling', () => {
  test('works before the first compile and during one', async () => {
    const before = new AbortController();
    before.abort();
    expect(await prove({ pages: [page(1, sound)], signal: before.signal })).toEqual({ kind: 'cancelled' });
    const during = new AbortController();
    const work = prove({
      pages: [page(1, `${sound} \\undefinedthing`)],
      signal: during.signal,
      onProgress: () => during.abort(),
    });
    expect(await work).toEqual({ kind: 'cancelled' });
  });
});

describe('the model', () => {
  const broken = `${sound}\n\n${sound}\n\n${hopeless}`;

  test('is called for what no rule repairs, and its answer is used if it compiles', async () => {
    const requests: RepairRequest[] = [];
    const proof = await prove({
      pages: [page(1, broken)],
      repairer: {
        repair: async (request) => {
          requests.push(request);
          return 'Some words here.';
        },
      },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]!.fragment).toContain('\\accent');
    expect(requests[0]!.messages.length).toBeGreaterThan(0);
    expect(requests[0]!.context.preamble).toContain('\\documentclass');
    expect(proof).toMatchObject({ kind: 'proved', verbatimShare: { 1: 0 } });
    if (proof.kind === 'proved') expect(proof.latex).toContain('Some words here.');
  });

  test.each([
    ['does not compile', 'Some words \\accent\\halign\\hskip here.'],
    ['loses words', 'Nothing of it.'],
    ['is null', null],
  ])('an answer that %s is not used', async (_, answer) => {
    const proof = await prove({ pages: [page(1, broken)], repairer: { repair: async () => answer } });
    expect(proof.kind).toBe('proved');
    if (proof.kind !== 'proved') return;
    expect(proof.latex).toContain('\\textbackslash{}accent\\textbackslash{}halign here.');
    expect(proof.latex).not.toContain('hskip');
    expect(proof.warnings.map(({ code }) => code)).toContain('KEPT_VERBATIM');
  });

  test('failing does not fail the conversion', async () => {
    const proof = await prove({
      pages: [page(1, broken)],
      repairer: { repair: () => Promise.reject(new Error('vendor down')) },
    });
    expect(proof.kind).toBe('proved');
  });

  test('is not called if the rules are enough', async () => {
    let calls = 0;
    await prove({
      pages: [page(1, `${sound} 5 & 6 #`)],
      repairer: {
        repair: async () => {
          calls++;
          return null;
        },
      },
    });
    expect(calls).toBe(0);
  });
});

describe('many pages', () => {
  test('all errors that rules can repair are repaired at once', async () => {
    const pages = Array.from({ length: 30 }, (_, index) =>
      page(
        index + 1,
        `\\section{Part ${index + 1}}\n${sound}\n\nTo 50% of R&D, x_1 and $\\frac{a}{b on.\n\n\\begin{itemize}\n\\item a`,
      ),
    );
    const proof = await prove({ pages });
    expect(proof).toMatchObject({ kind: 'proved', failedPages: [] });
    if (proof.kind !== 'proved') return;
    expect(proof.compileCount).toBeLessThanOrEqual(3);
    expect(Math.max(...Object.values(proof.verbatimShare))).toBe(0);
    expect(proof.sourceMap.map((piece) => piece.page)).toEqual(pages.map(({ number }) => number));
  });

  test('every warning names its page', async () => {
    const proof = await prove({ pages: [page(1, sound), page(2, `${sound}\n\n${sound}\n\n${hopeless}`)] });
    expect(proof.kind).toBe('proved');
    if (proof.kind === 'proved') expect(proof.warnings.every((warning) => warning.page === 2)).toBe(true);
  });
});

describe('seeded damage', () => {
  const documents = fixtureDocuments();
  // Several hundred seeds were run by hand with the same code.
  const seeds = Array.from({ length: 40 }, (_, index) => 1000 + index);
  for (const seed of chooseFrom(import.meta.filename, seeds)) {
    test.concurrent(`seed ${seed}: the result compiles`, { timeout: 600_000 }, async () => {
      const random = createRandom(seed).next;
      const { pages } = documents[Math.floor(random() * documents.length)]!;
      const damaged = mutatePages(pages, 1 + Math.floor(random() * 6), random);
      const proof = await prove({ pages: damaged, owner: `seed-${seed}` });
      expect(['proved', 'failed']).toContain(proof.kind);
      if (proof.kind === 'failed') expect(proof.error.error).not.toBe('');
      if (proof.kind !== 'proved') return;
      const again = await typesetter.compile({
        latex: proof.latex,
        engine: 'xelatex',
        owner: `seed-${seed}`,
      });
      expect(again.kind).toBe('compiled');
      expect(Math.max(...Object.values(proof.verbatimShare))).toBeLessThanOrEqual(maxVerbatimShare);
      const remaining = damaged
        .filter(({ number }) => !proof.failedPages.includes(number))
        .map((one) => one.page.body);
      expect(shareOfWords(remaining, proof.latex)).toBeGreaterThan(0.9);
    });
  }
});
