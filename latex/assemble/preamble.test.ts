import { describe, expect, test } from 'vitest';
import { isPreambleLine, languageLines, mergeOptions, splitOptions } from './preamble.ts';

describe('preamble lines of pages', () => {
  test.each([
    '\\newtheorem{theorem}{Theorem}[section]',
    '\\newcommand{\\dd}{\\mathop{}\\!\\mathrm{d}}',
    '\\DeclareMathOperator*{\\argmax}{arg\\,max}',
    '\\usetikzlibrary{calc,arrows.meta}',
    '\\theoremstyle{definition}',
    '\\setlist{noitemsep}',
  ])('taken: %s', (line) => {
    expect(isPreambleLine(line)).toBe(true);
  });

  test.each([
    '\\newcommand{\\x}{\\input{secret}}',
    '\\newcommand{\\x}{\\write18{id}}',
    '\\newcommand{\\x}{',
    '\\directlua{os.exit()}',
    '\\catcode`\\%=12',
    'text',
    '\\newcommand{\\x}{}} extra {',
    '\\makeatletter',
  ])('left out: %s', (line) => {
    expect(isPreambleLine(line)).toBe(false);
  });
});

describe('options', () => {
  test('are split outside braces and merged by key', () => {
    expect(splitOptions('a, b={c,d} ,e')).toEqual(['a', 'b={c,d}', 'e']);
    expect(mergeOptions(['version=4', 'version=3,x', 'x'])).toBe('version=4,x');
  });
});

describe('languages', () => {
  test('German keeps straight quotes, English needs nothing, unknown languages are left out', () => {
    expect(languageLines('german').join()).toContain('shorthandoff');
    expect(languageLines('english')).toEqual([]);
    expect(languageLines('klingon')).toEqual([]);
    expect(languageLines(undefined)).toEqual([]);
  });
});
