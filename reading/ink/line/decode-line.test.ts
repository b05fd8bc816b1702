import { expect, test } from 'vitest';
import { decodeLine } from './decode-line.ts';

const tokens = ['<blank>', 'a', 'b', 'x', '\\(', '\\)'];

/** Frames from probabilities; what is not named shares what is left. */
function frames(...rows: Record<string, number>[]) {
  const values = rows.flatMap((row) => {
    const named = Object.values(row).reduce((sum, value) => sum + value, 0);
    const rest = (1 - named) / (tokens.length - Object.keys(row).length);
    return tokens.map((token) => Math.log(Math.max(1e-9, row[token] ?? rest)));
  });
  return { frames: rows.length, values: Float32Array.from(values) };
}
const textOf = (line: ReturnType<typeof decodeLine>) => line.tokens.map(({ token }) => token).join('');

test('a sign held over frames is one, with a blank between it is two', () => {
  expect(textOf(decodeLine(frames({ a: 0.9 }, { a: 0.9 }, { a: 0.9 }), tokens))).toBe('a');
  expect(textOf(decodeLine(frames({ a: 0.9 }, { '<blank>': 0.9 }, { a: 0.9 }), tokens))).toBe('aa');
});

test('tells in which frames a sign stands, and how sure it is', () => {
  const { tokens: read } = decodeLine(
    frames({ '<blank>': 0.9 }, { a: 0.6 }, { a: 0.8 }, { '<blank>': 0.9 }, { b: 0.7 }),
    tokens,
  );
  expect(read.map(({ token, from, to }) => [token, from, to])).toEqual([
    ['a', 1, 3],
    ['b', 4, 5],
  ]);
  expect(read.map(({ probability }) => Math.round(probability * 10))).toEqual([8, 7]);
});

test('finds what all ways together say, as counting them one by one does', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const scores = frames(
      ...Array.from({ length: 4 }, (_, frame) => {
        const share = (number: number) => ((seed * 7919 + frame * 104729 + number * 1299709) % 97) / 97;
        const [blank, a, b] = [share(1) + 0.01, share(2) + 0.01, share(3) + 0.01];
        const sum = (blank + a + b) / 0.98;
        return { '<blank>': blank / sum, a: a / sum, b: b / sum };
      }),
    );
    const counted = countWays(scores);
    const [best, chance] = [...counted].sort((x, y) => y[1] - x[1])[0]!;
    const line = decodeLine(scores, tokens);
    expect(textOf(line)).toBe(best);
    expect(Math.exp(line.score)).toBeCloseTo(chance, 2);
  }
});

/** What each text's ways add up to, over blank, a and b. */
function countWays({ frames: count, values }: ReturnType<typeof frames>): Map<string, number> {
  const chances = new Map<string, number>();
  for (let way = 0; way < 3 ** count; way++) {
    let chance = 1;
    let text = '';
    let before = 0;
    for (let frame = 0; frame < count; frame++) {
      const token = Math.floor(way / 3 ** frame) % 3;
      chance *= Math.exp(values[frame * tokens.length + token]!);
      if (token !== 0 && token !== before) text += tokens[token];
      before = token;
    }
    chances.set(text, (chances.get(text) ?? 0) + chance);
  }
  return chances;
}

test('a word that is known wins over one that only looks likelier', () => {
  const scores = frames({ a: 0.9 }, { '<blank>': 0.98 }, { b: 0.5, x: 0.45 });
  expect(textOf(decodeLine(scores, tokens))).toBe('ab');
  expect(textOf(decodeLine(scores, tokens, { wordBonus: (word) => (word === 'ax' ? 2 : -1) }))).toBe('ax');
});

test('a formula left open is closed, one nobody opened is not', () => {
  expect(textOf(decodeLine(frames({ '\\(': 0.999 }, { x: 0.99 }), tokens))).toBe('\\(x\\)');
  expect(textOf(decodeLine(frames({ x: 0.9 }, { '\\)': 0.99 }), tokens))).not.toContain('\\)');
});

test('read as a formula, a line is one, whatever the model says of its ends', () => {
  const scores = frames({ a: 0.9 }, { '\\(': 0.9 }, { x: 0.9 }, { '\\)': 0.9 }, { b: 0.9 });
  expect(textOf(decodeLine(scores, tokens))).toBe('a\\(x\\)b');
  expect(textOf(decodeLine(scores, tokens, { from: 'maths' }))).toBe('\\(axb\\)');
});

test('tells what else a line may say, the likeliest first', () => {
  const scores = frames({ a: 0.9 }, { '<blank>': 0.98 }, { b: 0.6, x: 0.3, a: 0.08 });
  const { share, others = [] } = decodeLine(scores, tokens);
  expect(others.slice(0, 2).map((other) => other.tokens.join(''))).toEqual(['ax', 'aa']);
  expect(others.every((other, at) => other.share <= (others[at - 1]?.share ?? share))).toBe(true);
  expect(others.length).toBeLessThanOrEqual(5);
});

test('readings that differ in a space alone are told once', () => {
  const spaced = ['<blank>', 'a', 'b', ' '];
  const rows = [
    [0.01, 0.97, 0.01, 0.01],
    [0.5, 0.01, 0.01, 0.48],
    [0.01, 0.01, 0.97, 0.01],
  ];
  const values = Float32Array.from(rows.flat().map(Math.log));
  const { others = [] } = decodeLine({ frames: 3, values }, spaced);
  expect(others.map((other) => other.tokens.join('').replaceAll(' ', ''))).not.toContain('ab');
});

test('another reading of a formula is one too, and closes what it opens', () => {
  const scores = frames({ a: 0.9 }, { '<blank>': 0.98 }, { b: 0.6, x: 0.3 });
  const { others = [] } = decodeLine(scores, tokens, { from: 'maths' });
  expect(others[0]?.tokens).toEqual(['\\(', 'a', 'x', '\\)']);
});

test('what looks like two signs is the one that usually follows', () => {
  const signs = ['<blank>', '2', 'x', 'k', '=', '\\(', '\\)'];
  const sure = (token: string) => signs.map((sign) => Math.log(sign === token ? 0.94 : 0.01));
  const alike = signs.map((sign) => Math.log(sign === 'x' ? 0.45 : sign === 'k' ? 0.5 : 0.01));
  const scores = {
    frames: 4,
    values: Float32Array.from([sure('2'), alike, sure('='), sure('2')].flat()),
  };
  const language = {
    logProbability: (_: number, before: number, token: number) =>
      Math.log(signs[before] === '2' && signs[token] === 'x' ? 0.5 : 0.02),
  };
  const read = (of?: typeof language) =>
    decodeLine(scores, signs, { from: 'maths', language: of })
      .tokens.map(({ token }) => token)
      .join('');
  expect(read()).toBe('\\(2k=2\\)');
  expect(read(language)).toBe('\\(2x=2\\)');
});
