import { expect, it } from 'vitest';
import { listCitations } from './list-citations.ts';

const file = (name: string, text: string) => ({
  name,
  media_type: 'application/octet-stream' as const,
  data_base64: Buffer.from(text).toString('base64'),
});

it('every entry of the databases can be cited, and shows its author', () => {
  const refs = `@comment{x, y}
@string{ams = {Ann. Math.}}
@article{erdos59, author={Erdős, Paul and Alfréd Rényi}, title={On {Random} Graphs}, year=1959}
@book(knuth:tex,
  author = "Donald E. Knuth", title = "The {\\TeX}book", date = {1984-01-02})
@misc{bare,}`;
  expect(listCitations([file('refs.bib', refs), file('own.sty', '@book{no,}')])).toEqual([
    {
      key: 'erdos59',
      detail: 'Erdős · 1959 · On Random Graphs',
      entry: ['On Random Graphs', 'Paul Erdős, Alfréd Rényi', '1959'],
    },
    {
      key: 'knuth:tex',
      detail: 'Knuth · 1984 · The TeXbook',
      entry: ['The TeXbook', 'Donald E. Knuth', '1984'],
    },
    { key: 'bare', detail: '', entry: [] },
  ]);
});
