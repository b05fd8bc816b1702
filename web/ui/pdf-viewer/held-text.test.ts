import { expect, test } from 'vitest';
import { createHeldText } from './held-text.ts';

/** A page of pdf.js' viewer: it has text once that was laid out. */
class Page {
  text: string[] = [];
  textLayer: TextLayer | null = new TextLayer(this.text);
}

class TextLayer {
  readonly #text: string[];
  constructor(text: string[]) {
    this.#text = text;
  }
  async render({ words }: { words?: string }): Promise<void> {
    this.#text.push(words ?? '');
  }
}

function openViewer() {
  let handle = (_: { source: Page }) => {};
  const text = createHeldText({
    on: (_, listener) => {
      handle = listener as typeof handle;
    },
  });
  const draw = (page: Page, words: string) => {
    handle({ source: page });
    void page.textLayer?.render({ words });
  };
  return { text, draw };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a page drawn while text is held has its text as soon as somebody turns to it', async () => {
  const { text, draw } = openViewer();
  const page = new Page();
  text.hold();
  draw(page, 'new words');
  await settled();
  expect(page.text).toEqual([]);
  text.release();
  await settled();
  expect(page.text).toEqual(['new words']);
});

test('pages of a PDF that replaces none, and those drawn after the release, have theirs at once', async () => {
  const { text, draw } = openViewer();
  const [first, later] = [new Page(), new Page()];
  draw(first, 'first');
  text.hold();
  text.release();
  draw(later, 'later');
  await settled();
  expect([first.text, later.text]).toEqual([['first'], ['later']]);
});

test('a page drawn again before the release gets its text once, as it was drawn last', async () => {
  const { text, draw } = openViewer();
  const page = new Page();
  text.hold();
  draw(page, 'small');
  draw(page, 'large');
  text.release();
  await settled();
  expect(page.text).toEqual(['large']);
});

test('a page whose PDF was replaced, or that was given up out of sight, gets none', async () => {
  const { text, draw } = openViewer();
  const [replaced, away] = [new Page(), new Page()];
  text.hold();
  draw(replaced, 'old');
  text.forget();
  draw(away, 'far');
  away.textLayer = null;
  text.release();
  await settled();
  expect([replaced.text, away.text]).toEqual([[], []]);
});
