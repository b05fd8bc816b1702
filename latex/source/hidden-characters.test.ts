import { describe, expect, test } from 'vitest';
import { readLog } from '../log/log.ts';
import { spellOutHidden } from './hidden-characters.ts';

/** Reads “\ref{a} % safe” where the browser obeys the override. */
const disguised = '\u202e\\input{a}\u202c % x\u2066y\u2069';

describe('characters that are not seen', () => {
  test('are written as what they are', () => {
    expect(spellOutHidden(disguised)).toBe('⟨U+202E⟩\\input{a}⟨U+202C⟩ % x⟨U+2066⟩y⟨U+2069⟩');
    const all = [
      '\u200e',
      '\u200f',
      '\u061c',
      '\u202a',
      '\u202b',
      '\u202d',
      '\u2067',
      '\u2068',
      '\u200b',
      '\ufeff',
    ];
    expect(all.map((one) => spellOutHidden(`a${one}b`)).filter((text) => !text.includes('⟨U+'))).toEqual([]);
    expect(spellOutHidden('\\sec\u200dtion')).toBe('\\sec⟨U+200D⟩tion');
  });

  test.each(['שלום עולם', 'مرحبا بالعالم', 'می‌خواهم', 'क्‍ष', '👩‍🔬', 'naïve – “x”', 'a\tb\nc'])(
    'leaves %s as it is written',
    (text) => {
      expect(spellOutHidden(text)).toBe(text);
    },
  );

  test('are written out in what the log quotes', () => {
    const log = './main.tex:3: Undefined control sequence.\nl.3 \\fo\u202eo\n              bar\n';
    const warning = `LaTeX Warning: Reference \`${disguised}' on page 1 undefined on input line 4.\n`;
    const messages = readLog(`${log}\n${warning}`);
    expect(messages.length).toBe(2);
    expect(JSON.stringify(messages)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(messages[1]!.message).toContain('⟨U+202E⟩\\input{a}');
  });
});
