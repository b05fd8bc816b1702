/** Reads a whole LaTeX document into the tree that exports are written from. Accepts any text. */

import { theoremEnvironments } from '../source/commands.ts';
import { readGroup, readOptional } from '../source/matches.ts';
import { argumentOf, findBody } from '../source/read-commands.ts';
import { scanLatex } from '../source/scan.ts';
import { expandMacros, takeDefinitions } from './expand-macros.ts';
import { languageTag } from './languages.ts';
import { openBlockReader } from './read-blocks.ts';
import { readInlines, trimInlines } from './read-inlines.ts';
import { ReaderState } from './state.ts';
import type { Inline, ReadDocument } from './tree.ts';

/** @param now for `\today` */
export function readDocument(latex: string, now: Date): ReadDocument {
  const language = languageTag(latex);
  const { rest, macros } = takeDefinitions(latex);
  const today = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(now);
  macros.commands.set('today', { arguments: 0, optional: null, body: today });
  const { begin, end } = findBody(scanLatex(rest));
  const preamble = rest.slice(0, begin?.start ?? 0);
  const body = expandMacros(rest.slice(begin?.end ?? 0, end?.start), macros);

  const state = new ReaderState();
  openBlockReader(state);
  state.hasChapters = /\\documentclass\s*(\[[^\]]*\])?\s*\{(book|report|scrbook|scrreprt|memoir)\}/.test(
    latex,
  );
  readPreamble(state, preamble);
  const line = (command: string): Inline[] => {
    const found = argumentOf(preamble, command) ?? argumentOf(body, command);
    return found === null ? [] : trimInlines(readInlines(state, expandMacros(found, macros)));
  };
  state.title = line('title');
  state.author = line('author');
  state.date = argumentOf(preamble, 'date') === null ? [{ kind: 'text', text: today }] : line('date');
  const blocks = state.readBlocks(withoutTitles(body));
  return {
    title: state.title,
    author: state.author,
    date: state.date,
    language,
    blocks,
    labels: state.labels,
  };
}

/** Reads a page without a preamble: theorem-like environments print their names, without numbers. */
export function readPage(latex: string): Pick<ReadDocument, 'blocks' | 'labels'> {
  const { rest, macros } = takeDefinitions(latex);
  const state = new ReaderState();
  openBlockReader(state);
  for (const name of theoremEnvironments)
    state.theorems.set(name, {
      name: name.charAt(0).toUpperCase() + name.slice(1),
      counter: null,
      isItalic: false,
    });
  return { blocks: state.readBlocks(expandMacros(rest, macros)), labels: state.labels };
}

/** The parts of the title print at `\maketitle`, not where they are given. */
function withoutTitles(body: string): string {
  const tokens = scanLatex(body);
  let out = '';
  let copied = 0;
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || !/^(title|author|date|signature|address)$/.test(token.name)) return;
    const group = readGroup(tokens, index + 1);
    if (!group || token.start < copied) return;
    out += body.slice(copied, token.start);
    copied = tokens[group.close]!.end;
  });
  return out + body.slice(copied);
}

/** Reads theorem kinds, and with which headings counters restart. */
function readPreamble(state: ReaderState, preamble: string): void {
  const tokens = scanLatex(preamble);
  let style = 'plain';
  const text = (group: { start: number; end: number }) => preamble.slice(group.start, group.end).trim();
  tokens.forEach((token, index) => {
    if (token.kind !== 'command') return;
    const first = readGroup(tokens, index + 1);
    if (!first) return;
    if (token.name === 'theoremstyle') style = text(first);
    if (token.name === 'numberwithin') {
      const second = readGroup(tokens, first.close + 1);
      const level = second ? levelOf(text(second), state) : 0;
      if (level) state.within.set(text(first), level);
    }
    if (!/^newtheorem\*?$/.test(token.name)) return;
    const shared = readOptional(tokens, first.close + 1);
    const word = readGroup(tokens, shared ? shared.close + 1 : first.close + 1);
    if (!word) return;
    const within = readOptional(tokens, word.close + 1);
    const name = text(first);
    const counter = token.name.endsWith('*') ? null : shared ? text(shared) : name;
    const level = within ? levelOf(text(within), state) : 0;
    if (counter && level) state.within.set(counter, level);
    state.theorems.set(name, { name: text(word), counter, isItalic: style === 'plain' });
  });
}

function levelOf(counter: string, { hasChapters }: ReaderState): number {
  const level = { chapter: 0, section: 1, subsection: 2, subsubsection: 3 }[counter];
  return level === undefined ? 0 : Math.min(3, level + (hasChapters ? 1 : 0));
}
