import { Readable } from 'node:stream';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type ExportedFile, formatCsv } from './export-part.ts';
import { zipFiles } from './zip-files.ts';

async function* listed(files: ExportedFile[]) {
  yield* files;
}

test('text, bytes and streams come out of the archive unchanged', async () => {
  const large = Buffer.alloc(3_000_000, 'ink ');
  const picture = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
  const pieces: Uint8Array[] = [];
  for await (const piece of zipFiles(
    listed([
      { path: 'README.txt', content: 'Grüße\n' },
      {
        path: 'conversions/1/document.tex',
        content: Readable.from([large.subarray(0, 7), large.subarray(7)]),
      },
      { path: 'conversions/1/figure.png', content: picture },
      { path: 'empty.csv', content: '' },
    ]),
  ))
    pieces.push(piece);
  const archive = unzipSync(Buffer.concat(pieces));
  expect(Object.keys(archive)).toEqual([
    'README.txt',
    'conversions/1/document.tex',
    'conversions/1/figure.png',
    'empty.csv',
  ]);
  expect(strFromU8(archive['README.txt']!)).toBe('Grüße\n');
  expect(Buffer.from(archive['conversions/1/document.tex']!).equals(large)).toBe(true);
  expect(Buffer.from(archive['conversions/1/figure.png']!).equals(picture)).toBe(true);
  expect(archive['empty.csv']).toHaveLength(0);
  expect(Buffer.concat(pieces).length).toBeLessThan(200_000);
});

test('when the reader stops, the archive is no longer made', async () => {
  const opened: string[] = [];
  const files = (async function* () {
    for (const path of ['a.pdf', 'b.pdf', 'c.pdf']) {
      opened.push(path);
      yield { path, content: new Uint8Array(10) };
    }
  })();
  for await (const _ of zipFiles(files)) break;
  expect(opened).toEqual(['a.pdf']);
});

test('CSV keeps quotes and line ends, and contains no formulas', () => {
  const rows = [{ a: 'say "hi", you', b: 'two\nlines', c: -3, d: '=1+1', e: null, f: { page: 3 } }];
  expect(formatCsv(['a', 'b', 'c', 'd', 'e', 'f'], rows)).toBe(
    'a,b,c,d,e,f\r\n"say ""hi"", you","two\nlines",-3,\'=1+1,,"{""page"":3}"\r\n',
  );
});
