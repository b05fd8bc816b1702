import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { escapeLatex } from './escape.ts';
import { readGroup, readOptional } from './matches.ts';
import { scanLatex } from './scan.ts';
import { applySplices } from './splice.ts';
import { annotate } from './syntax.ts';

const kinds = (text: string) => scanLatex(text).map(({ kind }) => kind);

describe('scanLatex', () => {
  test.each([
    ['\\frac{a}{b}', ['command', 'open', 'text', 'close', 'open', 'text', 'close']],
    ['a % x\n b', ['text', 'space', 'comment', 'space', 'text']],
    ['a % x\n\n b', ['text', 'space', 'comment', 'break', 'text']],
    ['a\n \nb', ['text', 'break', 'text']],
    ['\\begin{a*}x\\end{a*}', ['begin', 'text', 'end']],
    ['\\verb|a$b| c', ['verbatim', 'space', 'text']],
    ['\\begin{verbatim}$%\n\\end{verbatim}x', ['verbatim', 'text']],
    ['\\begin{verbatim}$', ['begin', 'dollar']],
    ['$$x$', ['double-dollar', 'text', 'dollar']],
    ['\\\\[2pt]', ['command', 'bracket-open', 'text', 'bracket-close']],
    ['\\', ['text']],
    ['\\😀', ['command']],
  ])('%j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  test('covers every text without gaps', () => {
    const sample = readFileSync(
      new URL('../../fixtures/pdf/algorithms-and-kinetics.tex', import.meta.url),
      'utf8',
    );
    for (const text of [
      sample,
      sample.slice(100, 3001),
      '\\begin{\\end}\\verb',
      '\\verb|a\n|',
      '\\begin {x} \\end\n{x}',
    ]) {
      const tokens = scanLatex(text);
      expect(tokens.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
    }
  });

  test('groups and options', () => {
    const text = '\\a[b{]}c] {d{e}f}';
    const tokens = scanLatex(text);
    const optional = readOptional(tokens, 1)!;
    const group = readGroup(tokens, optional.close + 1)!;
    expect(text.slice(optional.start, optional.end)).toBe('b{]}c');
    expect(text.slice(group.start, group.end)).toBe('d{e}f');
  });
});

describe('annotate', () => {
  const modesOf = (text: string) => {
    const { tokens, spots } = annotate(text);
    return Object.fromEntries(
      tokens.flatMap((token, index) =>
        token.kind === 'text' ? [[text.slice(token.start, token.end), spots[index]!.mode]] : [],
      ),
    );
  };

  test('knows text, mathematics and raw arguments', () => {
    expect(
      modesOf(
        'p $q \\text{r $s$} t$ u \\[ v \\] \\SI{1}{w} \\begin{align} x \\end{align} \\href{y}{z} \\includegraphics[k]{f}',
      ),
    ).toEqual({
      p: 'text',
      q: 'math',
      r: 'text',
      s: 'math',
      t: 'math',
      u: 'text',
      v: 'math',
      1: 'raw',
      w: 'raw',
      x: 'math',
      y: 'raw',
      z: 'text',
      k: 'raw',
      f: 'raw',
    });
  });
});

describe('splices', () => {
  test('map offsets there and back', () => {
    const spliced = applySplices('abcdef', [
      { start: 4, end: 5, text: '' },
      { start: 1, end: 3, text: 'XYZ' },
      { start: 1, end: 1, text: '-' },
      { start: 2, end: 4, text: 'lost' },
    ]);
    expect(spliced.text).toBe('a-XYZdf');
    expect(spliced.mapOffset(3)).toBe(5);
    expect(spliced.mapOffset(5)).toBe(6);
    expect(spliced.unmapOffset(5)).toBe(3);
    expect(spliced.unmapOffset(6)).toBe(5);
    expect(spliced.unmapOffset(0)).toBe(0);
  });
});

describe('escapeLatex', () => {
  test('leaves nothing that TeX would read as its own', () => {
    const escaped = escapeLatex('a\\b{c}$d&#%_^~\u0000\ufffe');
    expect(escaped).toBe('a\\textbackslash{}b\\{c\\}\\$d\\&\\#\\%\\_\\textasciicircum{}\\textasciitilde{}');
  });
});
