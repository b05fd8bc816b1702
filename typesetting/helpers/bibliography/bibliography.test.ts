/** Lists of references through the real engine and the real BibTeX, in the box. */
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { chooseFrom } from '../../../test-support/matrix.ts';
import { openTypesetter } from '../../../test-support/open-typesetter.ts';
import type { CompileJob, CompileResult } from '../../index.ts';
import { pdfText } from '../../testing/find-leak.ts';

const refs = String.raw`@article{erdos, author={Erdős, Paul and Émile Borel and Øystein Ore}, title={Über {Graphen} und Größen},
  journal={Ann. Math.}, year=1959, volume=3, pages={1--10}}
@book{knuth, author={Donald E. Knuth}, title={The {\TeX}book}, publisher={Addison-Wesley}, year={1984}}
@inproceedings{lamport, author={Leslie Lamport}, title={On \cite{knuth}}, booktitle={Proc. Letters}, year=1986}
`;
const database = (text: string, name = 'refs.bib') => ({ name, bytes: new TextEncoder().encode(text) });
const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;

type Finished = Extract<CompileResult, { kind: 'compiled' | 'failed' }>;
const words = ({ pdf }: Finished) => pdfText(pdf!).replace(/\s+/g, ' ');
const warnings = ({ messages }: Finished) =>
  messages.filter(({ level }) => level === 'warning').map(({ message }) => message);

const strategies = chooseFrom(import.meta.filename, ['fork-server', 'cold'] as const);

describe.each(strategies)('by %s', async (strategy) => {
  // what does not depend on where the engine comes from is tried once
  const once = (name: string, run: () => Promise<void>) => {
    if (strategy === 'fork-server') test(name, run);
  };
  const registry = new Registry();
  const { typesetter } = await openTypesetter({
    concurrency: 1,
    strategies: [strategy],
    metrics: registry,
  });

  async function compile(latex: string, more: Partial<CompileJob> = {}): Promise<Finished> {
    const job = { latex, owner: 'a', assets: [database(refs)], cpuMs: 50_000, ...more };
    const result = await typesetter.compile(job);
    if (result.kind !== 'compiled' && result.kind !== 'failed') throw new Error(JSON.stringify(result));
    return result;
  }
  async function countPasses(): Promise<number> {
    const metric = await registry.getSingleMetric('inkproof_compile_passes_total')!.get();
    return metric.values.reduce((sum, { value }) => sum + value, 0);
  }

  once('BibTeX: numbers, names with accents, and what only an entry cites', async () => {
    const result = await compile(
      wrap('Graphs \\cite{erdos}, letters \\cite{lamport}.\n\\bibliographystyle{abbrv}\\bibliography{refs}'),
    );
    expect(result.kind).toBe('compiled');
    const text = words(result);
    expect(text).toContain('Graphs [1], letters [3].');
    expect(text).toMatch(/\[1\] P\. Erdős, É\. Borel, and Ø\. Ore\. Über Graphen und größen/);
    expect(text).toMatch(/\[2\] D\. E\. Knuth/);
    expect(text).toContain('On [2]');
    expect(warnings(result)).toEqual([]);
  });

  once('biblatex, whichever program it names: authors and years, sorted', async () => {
    const preamble = '\\usepackage[style=authoryear,backend=biber]{biblatex}\n\\addbibresource{refs.bib}\n';
    const body = 'As \\textcite{knuth} and \\parencite[see][5]{erdos} say.\n\\printbibliography';
    const result = await compile(wrap(body, preamble));
    expect(result.kind).toBe('compiled');
    const text = words(result);
    expect(text).toContain('As Knuth (1984) and (see Erdős, Borel, and Ore 1959, p. 5) say.');
    expect(text).toMatch(/References.*Erdős, Paul.*Knuth, Donald E\. \(1984\)\. The TEXbook/);
    expect(warnings(result)).toEqual([]);
  });

  test('the list stays when something else is edited, and is updated when a citation is added', async () => {
    const latex = (body: string) =>
      wrap(`${body}\n\\bibliographystyle{plain}\\bibliography{refs}`, '% live\n');
    await compile(latex('One \\cite{knuth}.'));
    const before = await countPasses();
    const edited = await compile(latex('One and more \\cite{knuth}.'));
    const edit = (await countPasses()) - before;
    expect(words(edited)).toMatch(/One and more \[1\].*Knuth/);
    const cited = await compile(latex('One and more \\cite{knuth} \\cite{erdos}.'));
    expect(words(cited)).toMatch(/One and more \[2\] \[1\].*Erdős.*Knuth/);
    // a document without any list takes as many
    const plain = (body: string) => wrap(`${body}\\label{a} \\ref{a}`, '% plain\n');
    await compile(plain('One'));
    const start = await countPasses();
    await compile(plain('One and more'));
    expect(edit).toBeLessThanOrEqual((await countPasses()) - start);
  });

  once('a change of the database alone is seen', async () => {
    const latex = wrap('See \\cite{knuth}.\n\\bibliographystyle{plain}\\bibliography{refs}', '% base\n');
    await compile(latex);
    const result = await compile(latex, { assets: [database(refs.replace('1984', '1999'))] });
    expect(words(result)).toContain('1999');
  });

  once('what is wrong is said with its file and line, and the pages are there', async () => {
    const broken = refs.replace('year=1959,', 'year=1959 ,,').replace('title={On', 'title {On');
    const result = await compile(
      wrap('\\cite{knuth} \\cite{nobody}\n\\bibliographystyle{plain}\\bibliography{refs,more}'),
      { assets: [database(broken)] },
    );
    expect(result.kind).toBe('compiled');
    expect(words(result)).toContain('The TEXbook');
    expect(result.messages).toContainEqual(expect.objectContaining({ file: 'refs.bib', line: 4 }));
    expect(warnings(result)).toContain('The bibliography more.bib is not among the document’s files.');
    expect(warnings(result).some((message) => message.includes('nobody'))).toBe(true);
  });

  once(
    'a style that never ends, and a database that leads out of the folder, end with the compile',
    async () => {
      const endless = 'ENTRY{}{}{} FUNCTION{f}{{#1 #1 =}{skip$} while$} READ EXECUTE{f}';
      const result = await typesetter.compile({
        latex: wrap('\\cite{knuth}\\bibliographystyle{own}\\bibliography{refs}'),
        assets: [database(refs), database(endless, 'own.bst')],
        owner: 'a',
        cpuMs: 2_000,
      });
      expect(['compiled', 'timed-out']).toContain(result.kind);
      const led = await compile(
        wrap('\\cite{root}\\bibliographystyle{plain}\\bibliography{/etc/passwd,refs}'),
      );
      expect(words(led)).not.toContain('root:');
    },
  );
});
