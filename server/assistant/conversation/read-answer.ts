/**
 * Parses a model's answer while it arrives: words for the person, interleaved with the change in blocks that
 * only this file knows. Tags rather than JSON or tool calls: they hold LaTeX unescaped, and every vendor can
 * stream them.
 */
import { isDocument } from '#latex/source/read-commands.ts';

interface WrittenEdit {
  find: string;
  replace: string;
}

/** What an answer contains besides words. */
export type WrittenChange =
  | { kind: 'none' }
  | { kind: 'edits'; edits: WrittenEdit[] }
  /** The whole text rewritten. */
  | { kind: 'whole'; latex: string }
  /** Blocks that do not belong together, or an unclosed one. */
  | { kind: 'broken' };

const blocks = ['change-find', 'change-to', 'change-all'] as const;
type Block = (typeof blocks)[number];

/** Tells the model how to write a change. */
export const changeForm = `<change-find>
characters copied from the text, so many that they occur exactly once
</change-find>
<change-to>
what stands there instead
</change-to>`;

export class AnswerReader {
  #rest = '';
  #open: Block | null = null;
  #found: { block: Block; text: string }[] = [];
  words = '';

  /** @returns the words in this chunk */
  push(piece: string): string {
    this.#rest += piece;
    let words = '';
    for (;;) {
      if (this.#open === null) {
        const next = /<(change-find|change-to|change-all)>/.exec(this.#rest);
        if (!next) {
          const held = heldBack(this.#rest);
          words += this.#rest.slice(0, this.#rest.length - held);
          this.#rest = this.#rest.slice(this.#rest.length - held);
          break;
        }
        words += this.#rest.slice(0, next.index);
        this.#rest = this.#rest.slice(next.index + next[0].length);
        this.#open = next[1] as Block;
      } else {
        const end = `</${this.#open}>`;
        const at = this.#rest.indexOf(end);
        if (at < 0) break;
        this.#found.push({ block: this.#open, text: trimLines(this.#rest.slice(0, at)) });
        this.#rest = this.#rest.slice(at + end.length);
        this.#open = null;
      }
    }
    // only line ends separate blocks
    const prose = this.words === '' || this.words.endsWith('\n\n') ? words.trimStart() : words;
    this.words += prose;
    return prose;
  }

  /** The answer is complete. @returns its last words, and the change */
  end(): { words: string; change: WrittenChange } {
    if (this.#open !== null) return { words: '', change: { kind: 'broken' } };
    const words = this.#rest;
    this.#rest = '';
    this.words += words;
    return { words, change: this.#readChange() };
  }

  #readChange(): WrittenChange {
    if (this.#found.length === 0) return findWholeDocument(this.words);
    const [first] = this.#found;
    if (first?.block === 'change-all')
      return this.#found.length === 1 ? { kind: 'whole', latex: first.text } : { kind: 'broken' };
    const edits: WrittenEdit[] = [];
    for (let index = 0; index < this.#found.length; index += 2) {
      const [find, to] = [this.#found[index], this.#found[index + 1]];
      if (find?.block !== 'change-find' || to?.block !== 'change-to') return { kind: 'broken' };
      edits.push({ find: find.text, replace: to.text });
    }
    return { kind: 'edits', edits };
  }
}

/** How many characters at the end may be the beginning of a tag. */
function heldBack(text: string): number {
  const at = text.lastIndexOf('<');
  if (at < 0) return 0;
  const end = text.slice(at);
  return blocks.some((block) => `<${block}>`.startsWith(end)) ? end.length : 0;
}

/** Removes the line end after the opening tag and the one before the closing tag. */
function trimLines(text: string): string {
  return text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

/** Accepts a whole document in a code fence, from a model that ignores the format. */
function findWholeDocument(words: string): WrittenChange {
  const fenced = /```(?:la)?tex\s*\n([\s\S]*?)\n?```/.exec(words)?.[1];
  return fenced && isDocument(fenced) ? { kind: 'whole', latex: `${fenced}\n` } : { kind: 'none' };
}
