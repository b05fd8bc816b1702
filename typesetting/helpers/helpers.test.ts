/** What runs between TeX's passes, with the real programs in the real boxes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import type { Asset, CompileResult } from '../index.ts';
import { possibleKinds } from '../sandbox/open-sandbox.ts';
import { pdfText } from '../testing/find-leak.ts';

const fixtures = path.join(import.meta.dirname, '../../fixtures/helpers');
const file = (name: string, text: string): Asset => ({ name, bytes: new TextEncoder().encode(text) });
const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`;
function readFixture(name: string): { latex: string; assets: Asset[] } {
  const folder = path.join(fixtures, name);
  const files = readdirSync(folder).filter((entry) => entry !== 'main.tex');
  return {
    latex: readFileSync(path.join(folder, 'main.tex'), 'utf8'),
    assets: files.map((entry) => ({ name: entry, bytes: readFileSync(path.join(folder, entry)) })),
  };
}

type Finished = Extract<CompileResult, { kind: 'compiled' | 'failed' }>;
const words = ({ pdf }: Finished) => pdfText(pdf!).replace(/\s+/g, ' ');
const warnings = ({ messages }: Finished) =>
  messages.filter(({ level }) => level === 'warning').map(({ line, message }) => ({ line, message }));

/** Each program once in every kind of box that restricts differently, warm and cold. */
const ways = chooseFrom(
  import.meta.filename,
  ['bubblewrap', 'landlock'].flatMap((box) =>
    (['fork-server', 'cold'] as const).map((strategy) => ({
      strategy,
      kind: possibleKinds().find((kind) => kind.startsWith(box))!,
    })),
  ),
);

describe.each(ways)('$strategy in $kind', async ({ strategy, kind }) => {
  const isFirst = ways[0]?.kind === kind && ways[0].strategy === strategy;
  /** What does not depend on the box, or on where the engine comes from, is tried once. */
  const once = (name: string, run: () => Promise<void>) => {
    if (isFirst) test(name, run);
  };
  const registry = new Registry();
  const { typesetter } = await openTypesetter({
    concurrency: 1,
    sandbox: [kind],
    strategies: [strategy],
    metrics: registry,
  });

  async function compile(latex: string, assets: Asset[] = []): Promise<Finished> {
    const result = await typesetter.compile({ latex, assets, owner: 'a', cpuMs: 60_000 });
    if (result.kind !== 'compiled' && result.kind !== 'failed') throw new Error(JSON.stringify(result));
    return result;
  }
  async function countPasses(): Promise<number> {
    const metric = await registry.getSingleMetric('inkproof_compile_passes_total')!.get();
    return metric.values.reduce((sum, { value }) => sum + value, 0);
  }

  test('Biber, an index, a glossary and a list of acronyms in one document', async () => {
    const { latex, assets } = readFixture('everything');
    const result = await compile(latex, assets);
    expect(result.kind).toBe('compiled');
    const text = words(result);
    expect(text).toContain('by Noether (1918)');
    expect(text).toMatch(/Bibliography.*Noether, Emmy \(1918\)\. “Invariante Variationsprobleme”/);
    expect(text).toMatch(
      /Glossary group a set with an associative law\. 2, 4 6 Acronyms gcd greatest common divisor\. 2, 3 7/,
    );
    expect(text).toMatch(/Index greatest common divisor, 2–3 group, 2, 4 finite, 4 Göttingen, 3/);
    expect(warnings(result).filter(({ message }) => /[Rr]erun|Remember|missing/.test(message))).toEqual([]);
  });

  test('a source map, which is a program, cannot see the machine', async () => {
    const perl = '@{[6*7]}:@{[open(F,q(/etc/passwd))||q(closed)]}';
    const map = `\\step[fieldsource=title,match=\\regexp{.+},replace=\\regexp{${perl}}]`;
    const preamble = `\\usepackage{biblatex}\\DeclareSourcemap{\\maps{\\map{${map}}}}\\addbibresource{refs.bib}`;
    const refs = file('refs.bib', '@book{k, author={A}, title={T}, year=2000}');
    const result = await compile(wrap('\\cite{k}\\printbibliography', preamble), [refs]);
    expect(words(result)).toMatch(/42:closed/);
  });

  once('indexes, glossaries, a nomenclature and APA have their lists', async () => {
    const shown = async (name: string) => {
      const { latex, assets } = readFixture(name);
      const result = await compile(latex, assets);
      // biblatex says this whatever is cited
      expect(warnings(result).filter(({ message }) => !message.includes('sortcites'))).toEqual([]);
      return words(result);
    };
    // a second index with the document's own style
    expect(await shown('indexes')).toMatch(/Index.*transcendental, 1, 2.*People.*– E –.*Euler, Leonhard/);
    expect(await shown('glossary')).toMatch(
      /Acronyms ODE .*PDE .*Symbols .*open ball.*Glossary group .*ring /,
    );
    expect(await shown('nomenclature')).toMatch(/Nomenclature a The number of angels per unit area, page 2/);
    expect(await shown('front-index')).toMatch(/Index alpha, 3, 4 beta, 3 gamma, 4/);
    expect(await shown('biber-apa')).toMatch(/Noether \(1918\) came before \(see Erdős & Graham, 1980/);
  });

  once('a list that wants a name of TeX’s own is not made', async () => {
    const [entry, aux] = ['\\string\\indexentry{x}{1}', '\\string\\@newglossary{g}{l}'];
    const write = (name: string, text: string) =>
      `\\immediate\\openout\\w=${name} \\immediate\\write\\w{${text}}\\immediate\\closeout\\w`;
    const result = await compile(
      wrap(
        `ours ${write('main.glo', entry)}${write('main.ist', 'x')}\\newindex{n}{ndx}{tex}${write('main.ndx', entry)}
\\makeatletter\\write\\@auxout{${aux}{aux}{glo}^^J\\string\\@istfilename{main.ist}}`,
        '\\newwrite\\w\\newcommand\\newindex[3]{}\\newlinechar=10 \\makeatletter\\newcommand\\@newglossary[4]{}\\newcommand\\@istfilename[1]{}',
      ),
    );
    expect(words(result)).toContain('ours');
  });

  once('indexes in one file, as splitindex leaves them', async () => {
    const text = words(
      await compile(
        wrap(
          'A group\\index{group} has a unit\\index[signs]{1@$1$}.\\printindex\\printindex[signs]',
          '\\usepackage[splitindex]{imakeidx}\\makeindex[title=Words]\\makeindex[name=signs,title=Signs]',
        ),
      ),
    );
    expect(text).toMatch(/Words group, 1.*Signs 1, 1/);
  });

  once('an edit that moves no entry costs the passes that it would cost without lists', async () => {
    const edited = async (body: (text: string) => string, preamble: string) => {
      await compile(wrap(body('One'), preamble));
      const start = await countPasses();
      const result = await compile(wrap(body('One and more'), preamble));
      return { passes: (await countPasses()) - start, text: words(result) };
    };
    const indexed = await edited(
      (text) => `${text}\\index{entry}\\label{a} \\ref{a}\\printindex`,
      '\\usepackage{makeidx}\\makeindex',
    );
    expect(indexed.text).toMatch(/One and more.*Index entry, 1/);
    const plain = await edited((text) => `${text}\\label{a} \\ref{a}`, '% plain');
    expect(indexed.passes).toBeLessThanOrEqual(plain.passes);
    // and lists disappear again
    const without = await compile(wrap('Nothing\\printindex', '\\usepackage{makeidx}\\makeindex'));
    expect(words(without)).not.toContain('entry');
  });

  once('faults of entries are said in words, at the line of the entry', async () => {
    const result = await compile(
      wrap(
        'A\\index{a@b@c}\nB\\index{w!x!y!z}\n\nC\\index{open|(}\nD\\index{x|)}\nE\\index{!f}\n\\printindex',
        '\\usepackage{makeidx}\\makeindex',
      ),
    );
    expect(result.kind).toBe('compiled');
    expect(warnings(result)).toEqual([
      { line: 4, message: 'The entry “a@b@c” has more than one @.' },
      { line: 5, message: 'The entry “w!x!y!z” has more than three levels.' },
      { line: 9, message: 'The entry “!f” has an empty part.' },
      { line: 7, message: 'The range of pages of “open” begins but does not end.' },
      { line: 8, message: 'The range of pages of “x” ends but does not begin.' },
    ]);
  });

  once('Biber’s faults are said at their line, and the rest of the list is there', async () => {
    const refs =
      '@book{a, author={A. Ant}, title={Hills}, year=1990}\n@book{b, author {B. Bee}, year=1991}\n';
    const result = await compile(
      wrap(
        '\\cite{a}\\printbibliography',
        '\\usepackage{biblatex}\n\\addbibresource{refs.bib}\n\\addbibresource{more.bib}\n\\addbibresource[location=remote]{https://example.org/x.bib}',
      ),
      [file('refs.bib', refs)],
    );
    expect(words(result)).toContain('Hills');
    expect(result.messages).toContainEqual(expect.objectContaining({ file: 'refs.bib', line: 2 }));
    expect(warnings(result)).toContainEqual({
      line: 4,
      message: 'The bibliography more.bib is not among the document’s files.',
    });
    expect(warnings(result)).toContainEqual({
      line: 5,
      message:
        'The bibliography https://example.org/x.bib was not fetched: documents are compiled without a network.',
    });
  });

  once('what is not run is named, on its line', async () => {
    const xindy = await compile(
      wrap(
        'x\\index{x}\\gls{a}\\printglossaries\\printindex',
        '\\usepackage{imakeidx}\n\\makeindex[program=xindy]\n\\usepackage[xindy]{glossaries}\n\\makeglossaries\\newglossaryentry{a}{name=a,description=b}',
      ),
    );
    expect(words(xindy)).toMatch(/Index x, 1/);
    expect(warnings(xindy)).toContainEqual({
      line: 3,
      message: 'The index was made by MakeIndex: texindy is not run here.',
    });
    expect(warnings(xindy)).toContainEqual({
      line: 4,
      message: 'The glossary is missing: xindy makes it, which is not run here.',
    });
    const records = await compile(
      wrap('\\gls{a}', '\\usepackage[record]{glossaries-extra}\n\\GlsXtrLoadResources[src={entries}]'),
    );
    expect(warnings(records)).toContainEqual({
      line: 3,
      message: 'The glossary is missing: bib2gls makes it, which is not run here.',
    });
    const style = await compile(
      wrap('x\\index{x}\\printindex', '\\usepackage{imakeidx}\\makeindex[options=-s nowhere.ist]'),
    );
    expect(warnings(style).map(({ message }) => message)).toContain(
      'The index was left out: its style nowhere.ist was not found.',
    );
  });
});
