/** Where handwriting is inserted into a page's LaTeX, by the places of both. */
import { expect, test } from 'vitest';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { InkLine } from '../ink/read-lines.ts';
import type { TranscribedPage } from '../transcriber.ts';
import { mergeInk } from './merge-ink.ts';

function ink(characters: string, box: ShareBox, probability = 0.99): InkLine {
  const tokens = [...characters].map((token, frame) => ({
    token,
    probability,
    from: 10 * frame,
    to: 10 * frame + 4,
  }));
  return { tokens, share: probability, score: 0, fluency: 0, box };
}

/** A page of these stretches, each with its box, and nothing between them but what is said. */
function printed(parts: readonly (string | [text: string, box: ShareBox])[]): TranscribedPage {
  let body = '';
  const places = [];
  for (const part of parts) {
    const [text, box] = typeof part === 'string' ? [part, null] : part;
    if (box) places.push({ start: body.length, end: body.length + text.length, box });
    body += text;
  }
  const empty = { packages: [], preamble: [], figures: [], warnings: [], doubtful: [] };
  return { ...empty, body, places, startsParagraph: true, endsParagraph: true };
}

test('a table, and what else belongs together, is not torn apart', () => {
  const page = mergeInk(
    printed([
      ['Before.', [0.1, 0.1, 0.8, 0.02]],
      '\n\n\\begin{tabular}{l}\n',
      ['one', [0.1, 0.2, 0.2, 0.02]],
      ' \\\\\n\n',
      ['two', [0.1, 0.3, 0.2, 0.02]],
      '\n\\end{tabular}\n\n',
      ['After.', [0.1, 0.6, 0.8, 0.02]],
    ]),
    [ink('by hand', [0.1, 0.24, 0.3, 0.03])],
  );
  expect(page.body).toMatch(/\\end\{tabular\}\n\nby hand\n\nAfter\.$/);
});

test('each column has its own, and doubts and places move along', () => {
  const page = printed([
    ['Left above.', [0.05, 0.1, 0.4, 0.02]],
    '\n\n',
    ['Left below.', [0.05, 0.5, 0.4, 0.02]],
    '\n\n',
    ['Right above.', [0.55, 0.1, 0.4, 0.02]],
    '\n\n',
    ['Right below.', [0.55, 0.5, 0.4, 0.02]],
  ]);
  const start = page.body.indexOf('below', page.body.indexOf('Right'));
  const merged = mergeInk({ ...page, doubtful: [{ start, end: start + 5 }] }, [
    ink('mine', [0.55, 0.3, 0.2, 0.03], 0.3),
  ]);
  expect(merged.body).toBe('Left above.\n\nLeft below.\n\nRight above.\n\nmine\n\nRight below.');
  expect(merged.doubtful.map(({ start: from, end }) => merged.body.slice(from, end))).toEqual([
    'mine',
    'below',
  ]);
  expect(merged.places!.map(({ start: from, end }) => merged.body.slice(from, end))).toEqual(
    merged.body.split('\n\n'),
  );
});

test('ink in a line of print is placed between the words it was written between', () => {
  const page = printed([['The name of is known.', [0.1, 0.1, 0.8, 0.02]]]);
  const merged = mergeInk(page, [ink('ada', [0.53, 0.095, 0.1, 0.03])]);
  expect(merged.body).toBe('The name of ada is known.');
  expect(mergeInk(page, [ink('here', [0.92, 0.095, 0.06, 0.03])]).body).toContain('\\marginpar{');
});
