import { describe, expect, test } from 'vitest';
import { counterCommands } from './section-numbers.ts';

describe('counters before a heading', () => {
  test.each<[string, string, string | null, string]>([
    ['the first of a document', '1', '', ''],
    ['the next section', '3', '2', ''],
    ['the next section after a subsection', '3', '2.4', ''],
    ['the first subsection', '2.1', '2', ''],
    ['the next subsection', '2.2', '2.1', ''],
    ['a document that begins with section 3', '3', '', '\\setcounter{section}{2}\n'],
    ['a page whose past is not known', '1', null, '\\setcounter{section}{0}\n'],
    [
      'a subsection whose section is on a page before',
      '4.2',
      null,
      '\\setcounter{section}{4}\n\\setcounter{subsection}{1}\n',
    ],
    [
      'a subsection of a section without a heading',
      '2.1',
      '1.4',
      '\\setcounter{section}{2}\n\\setcounter{subsection}{0}\n',
    ],
    ['the appendix', 'A', '4', '\\appendix\n'],
    ['a later appendix', 'C', 'A.2', '\\setcounter{section}{2}\n'],
  ])('%s', (_, number, previous, expected) => {
    expect(counterCommands(number, previous)).toBe(expected);
  });
});
