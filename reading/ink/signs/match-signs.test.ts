import { expect, test } from 'vitest';
import { matchSigns } from './match-signs.ts';

const row = new Float32Array();
const see = (...signs: [string, number, number?][]) =>
  signs.map(([token, x, probability = 0.95]) => ({ token, x, probability, row, path: '' }));
const box = (left: number, right: number) => ({ left, right, top: 0, bottom: 50 });
/** @param shapes each sign's token, surely so */
const match = (signs: [string, number, number][], seen: ReturnType<typeof see>, several = 0) =>
  matchSigns(
    signs.map(([, left, right]) => box(left, right)),
    seen,
    (at, token) => (signs[at]![0] === token ? -0.05 : -5),
    () => several,
    { frame: 8, size: 50 },
  );
const said = ({ matches }: ReturnType<typeof match>) =>
  matches.map(({ from, to, seen }) => `${to - from}:${seen.map(({ token }) => token).join('')}`);

test('each sign is what was seen at its place', () => {
  const signs: [string, number, number][] = [
    ['x', 0, 40],
    ['+', 60, 100],
    ['a', 120, 160],
  ];
  const both = match(signs, see(['x', 2], ['+', 55], ['a', 118]));
  expect(said(both)).toEqual(['1:x', '1:+', '1:a']);
  expect(both.cost).toBeLessThan(0.5);
});

test('a sign that the line model missed stays, and what has no ink goes', () => {
  const signs: [string, number, number][] = [
    ['-', 0, 40],
    ['t', 60, 100],
    ['1', 110, 120],
    ['=', 140, 180],
  ];
  const missed = match(signs, see(['-', 2], ['t', 58], ['=', 138]));
  expect(said(missed)).toEqual(['1:-', '1:t', '1:', '1:=']);
  const invented = match(signs.slice(0, 2), see(['-', 2], ['t', 58], ['.', 105, 0.4]));
  expect(said(invented)).toEqual(['1:-', '1:t', '0:.']);
  expect(match(signs, see(['-', 2], ['t', 58], ['1', 108], ['=', 138])).cost).toBeLessThan(missed.cost);
});

test('two signs that touch are both in one piece, unless it is surely one of them', () => {
  const touching: [string, number, number][] = [
    ['G', 0, 80],
    ['-', 100, 140],
  ];
  expect(said(match(touching, see(['(', 2], ['x', 40], ['-', 98])))).toEqual(['1:(x', '1:-']);
  const alone: [string, number, number][] = [
    ['x', 0, 40],
    ['-', 100, 140],
  ];
  expect(said(match(alone, see(['x', 2], ['1', 20], ['-', 98])))).toEqual(['1:x', '0:1', '1:-']);
});

test('the letters of a function are its name, however many pieces they are', () => {
  const letters: [string, number, number][] = [
    ['t', 0, 20],
    ['a', 25, 45],
    ['n', 50, 70],
    ['x', 120, 160],
  ];
  expect(said(match(letters, see(['\\tan', 20], ['x', 118])))).toEqual(['3:\\tan', '1:x']);
  expect(said(match([letters[0]!, ['m', 25, 70], letters[3]!], see(['\\tan', 20], ['x', 118])))).toEqual([
    '2:\\tan',
    '1:x',
  ]);
});

test('a piece whose shape is surely one sign is less readily several', () => {
  const signs: [string, number, number][] = [['a', 0, 90]];
  const both = see(['n', 5], ['x', 50]);
  expect(match(signs, both, -4).cost).toBeGreaterThan(match(signs, both).cost);
  expect(said(match(signs, both))).toEqual(['1:nx']);
});
