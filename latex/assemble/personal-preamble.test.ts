import { expect, test } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import { templates } from '../templates/index.ts';
import {
  addPersonalPreamble,
  describeNotation,
  type PersonalPreamble,
  readPersonalPreamble,
} from './personal-preamble.ts';
import { mergePreamble } from './preamble.ts';

const personal: PersonalPreamble = {
  preamble: [
    '% my own',
    '\\usepackage[version=4]{mhchem}',
    '\\usepackage{booktabs, microtype}',
    '\\newcommand{\\norm}[1]{%',
    '  \\lVert #1 \\rVert}',
    '\\newtheorem{claim}{Claim}',
    '\\setlength{\\parindent}{0pt}',
  ].join('\n'),
  notation: [
    { command: '\\Z', latex: '\\mathbb{Z}', meaning: 'the integers' },
    { command: '\\pair', latex: '\\langle #1,#2\\rangle', meaning: '' },
  ],
};

test('is read as a page’s preamble, with the packages that its definitions need', () => {
  const { packages, lines, refused } = readPersonalPreamble(personal);
  expect(refused).toEqual([]);
  expect(packages).toEqual(
    expect.arrayContaining([
      { name: 'mhchem', options: 'version=4' },
      { name: 'booktabs' },
      { name: 'microtype' },
    ]),
  );
  expect(packages.map(({ name }) => name)).toContain('amssymb');
  expect(lines).toEqual([
    '\\newcommand{\\norm}[1]{ \\lVert #1 \\rVert}',
    '\\newtheorem{claim}{Claim}',
    '\\setlength{\\parindent}{0pt}',
    '\\newcommand{\\Z}{\\mathbb{Z}}',
    '\\newcommand{\\pair}[2]{\\langle #1,#2\\rangle}',
  ]);
  // the user's own definition takes precedence over a page's
  const merged = mergePreamble([
    { number: 0, lines },
    { number: 1, lines: ['\\newcommand{\\Z}{\\mathbf{Z}}'] },
  ]);
  expect(merged.lines).toContain('\\newcommand{\\Z}{\\mathbb{Z}}');
  expect(merged.redefinitions.get(1)).toEqual(['\\renewcommand{\\Z}{\\mathbf{Z}}']);
  expect(describeNotation(personal.notation)).toBe(
    '\\Z = \\mathbb{Z}: the integers\n\\pair = \\langle #1,#2\\rangle',
  );
});

test.each([
  ['\\input{secrets}', 'preamble', 1],
  ['\n\\newcommand{\\a}{\\input{x}}', 'preamble', 2],
  ['\\newcommand{\\a}{', 'preamble', 1],
  ['Words', 'preamble', 1],
  ['\\usepackage{../x}', 'preamble', 1],
])('%j is refused, and says where', (preamble, where, place) => {
  const read = readPersonalPreamble({ preamble, notation: [] });
  expect(read.refused).toEqual([expect.objectContaining({ in: where, place })]);
  expect([...read.lines, ...read.packages]).toEqual([]);
});

test('a notation whose name is not a command is refused', () => {
  const notation = [
    { command: 'R', latex: 'x', meaning: '' },
    { command: '\\R', latex: '}', meaning: '' },
    { command: '\\R', latex: ' ', meaning: '' },
  ];
  expect(readPersonalPreamble({ preamble: '', notation }).refused.map(({ place }) => place)).toEqual([
    1, 2, 3,
  ]);
});

const { typesetter } = await openTypesetter({ concurrency: 1 });

test('is added to every template once without changing its text, and they compile', {
  timeout: 120_000,
}, async () => {
  const clash = {
    ...personal,
    notation: [...personal.notation, { command: '\\R', latex: '\\mathbf{R}', meaning: '' }],
  };
  const compiled = chooseFrom(import.meta.filename, templates.toReversed());
  for (const { id, latex } of templates) {
    const added = addPersonalPreamble(latex, clash);
    expect(addPersonalPreamble(added, clash)).toBe(added);
    expect(added.match(/\\usepackage(\[[^\]]*\])?\{booktabs\}/g), id).toHaveLength(1);
    if (id === 'lecture-notes') expect(added).not.toContain('\\mathbf{R}');
    if (!compiled.some((template) => template.id === id)) continue;
    const used = added.replace('\\end{document}', '$\\Z\\norm{x}\\pair{a}{b}$\\end{document}');
    expect(await typesetter.compile({ latex: used, owner: 'a', cpuMs: 50_000 }), id).toMatchObject({
      kind: 'compiled',
    });
  }
});

test('a text that is not a document is unchanged', () => {
  expect(addPersonalPreamble('x', personal)).toBe('x');
});
