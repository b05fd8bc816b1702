/** Publisher's marks: a published book is refused, an honest user's notes never are. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentFacts, findPublisherMarks, judgePublisherMarks } from './copyright.ts';
import { fixtureFolder, sourcedPdfs } from './text-layer/testing/fixtures.ts';

function facts(text: string, info: Record<string, string> = {}, xmp = ''): DocumentFacts {
  return { pages: [text], info, xmp };
}

const published: [string, DocumentFacts][] = [
  [
    'a book’s imprint',
    facts(
      '© 2019 Harrow Academic Press. All rights reserved. No part of this publication may be reproduced. ISBN 978-3-16-148410-0',
    ),
  ],
  [
    'notice and prohibition',
    facts(
      'Copyright 2011 by Northfield University Press\nNo part of this book may be reproduced without permission of the publisher.',
    ),
  ],
  [
    'a German imprint',
    facts(
      '© 2020 Musterfeld Verlag GmbH. Das Werk einschließlich aller seiner Teile ist urheberrechtlich geschützt. ISBN 978-3-16-148410-0',
    ),
  ],
  [
    'a French imprint',
    facts(
      '© 2018 Éditions du Phare. Toute reproduction même partielle est interdite. Tous droits réservés. ISBN 978-2-12-345680-3',
    ),
  ],
  [
    'metadata and one mark in the text',
    facts(
      'ISBN 978-3-16-148410-0',
      { Subject: 'Copyright 2022 Harrow Academic Press. All rights reserved.' },
      '<dc:publisher><rdf:Bag><rdf:li>Harrow Academic Press</rdf:li></rdf:Bag></dc:publisher><xmpRights:Marked>True</xmpRights:Marked>',
    ),
  ],
];

const honest: [string, DocumentFacts][] = [
  ['plain notes', facts('Lecture 3: continuous functions. Let f be continuous on [a,b].')],
  [
    'notes that speak of copyright',
    facts('Copyright law, week 2: who owns the copyright of a derived work? All rights reserved by default.'),
  ],
  [
    'a teacher’s own notice',
    facts('Lecture notes on topology. © 2024 Prof. R. Adler. Please do not distribute.'),
  ],
  ['a teacher’s notice with rights reserved', facts('© 2023 R. Adler. All rights reserved.')],
  [
    'a CC licence',
    facts(
      '© 2021 Open University Press. This work is licensed under a Creative Commons Attribution 4.0 licence. ISBN 978-3-16-148410-0',
    ),
  ],
  [
    'CC BY-SA by its letters',
    facts(
      'CC BY-SA 4.0. Published by the authors. ISBN 978-3-16-148410-0. All rights reserved to the authors.',
    ),
  ],
  [
    'an arXiv preprint',
    facts(
      'arXiv:2301.01234v2 [math.NT] 5 Jan 2023. To appear with Springer. © 2023 Springer. All rights reserved.',
    ),
  ],
  [
    'a bibliography with ISBNs',
    facts(
      'Solutions to sheet 4.\nReferences\n[1] A. Author, Analysis, Springer, 2004. ISBN 978-3-16-148410-0. © 2004 Springer Verlag. All rights reserved.',
    ),
  ],
  [
    'an ISBN named in the text',
    facts('Course book: Linear Algebra, ISBN 978-3-16-148410-0. Read chapter 2 until Monday.'),
  ],
  [
    'a publisher named in the text',
    facts('Exercises after the book of Oxford University Press; numbers refer to its second edition.'),
  ],
  [
    'homework on a press',
    facts('The free press in the 18th century: publishing, copyright 1710 and the Statute of Anne.'),
  ],
  [
    'XMP written by a word processor',
    facts(
      'My summary',
      {},
      '<dc:creator><rdf:Seq><rdf:li>Student</rdf:li></rdf:Seq></dc:creator><dc:publisher><rdf:Bag><rdf:li>Office</rdf:li></rdf:Bag></dc:publisher>',
    ),
  ],
  [
    'rights metadata of one’s own',
    facts(
      'Portfolio',
      {},
      '<dc:rights><rdf:Alt><rdf:li>© 2024 J. Doe, all rights reserved</rdf:li></rdf:Alt></dc:rights><xmpRights:Marked>True</xmpRights:Marked>',
    ),
  ],
  [
    'an exam paper',
    facts(
      '© 2022 Department of Mathematics. Reproduction of this paper is prohibited. Time allowed: 3 hours.',
    ),
  ],
  [
    'a thesis',
    facts(
      '© 2020 M. Example. A thesis submitted to the University. All rights reserved. Published by the University Library.',
    ),
  ],
];

const imprint = '(c) 2019 Harrow Academic Press. All rights reserved. ISBN 978-3-16-148410-0';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inkproof-marks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('publisher’s marks', () => {
  test.each(published)('refuses %s', (_, document) => {
    expect(judgePublisherMarks(document)).not.toBeNull();
  });
  test.each(honest)('accepts %s', (_, document) => {
    expect(judgePublisherMarks(document)).toBeNull();
  });
  test('recognises the published sample from the file itself', async () => {
    const found = await findPublisherMarks(path.join(fixtureFolder, 'bad/copyrighted.pdf'));
    expect(found?.marks.length).toBeGreaterThan(2);
  });
  test('reads the first pages and the last, where an imprint stands', async () => {
    const bookWith = async (imprintOn: number) => {
      const book = await PDFDocument.create();
      for (let page = 1; page <= 12; page++)
        book.addPage().drawText(page === imprintOn ? imprint : `Page ${page}`, { size: 9, x: 20, y: 400 });
      const file = path.join(folder, `${imprintOn}.pdf`);
      await writeFile(file, await book.save());
      return await findPublisherMarks(file);
    };
    for (const page of [1, 5, 11, 12]) expect((await bookWith(page))?.score).toBe(4);
    expect(await bookWith(7)).toBeNull();
  });
  test('lets the samples of notes through', async () => {
    for (const { pdf } of sourcedPdfs()) expect(await findPublisherMarks(pdf)).toBeNull();
  });
  test.each(['truncated.pdf', 'empty.pdf', 'encrypted.pdf', 'html-named.pdf', 'zero-pages.pdf'])(
    'does not complain about %s',
    async (name) => {
      expect(await findPublisherMarks(path.join(fixtureFolder, 'bad', name))).toBeNull();
    },
  );
});
