/** Reads lists, exam questions, references. */
import { listEnvironments } from '../source/commands.ts';
import { readOptional } from '../source/matches.ts';
import { scanLatex } from '../source/scan.ts';
import { printCount, readCounting } from './counting.ts';
import { splitTop } from './environments.ts';
import { readInlines, trimInlines } from './read-inlines.ts';
import type { ReaderState } from './state.ts';
import type { Block, Inline, ListItem } from './tree.ts';

const itemCommands: Record<string, RegExp> = {
  questions: /^(question|titledquestion)$/,
  parts: /^part$/,
  subparts: /^subpart$/,
  thebibliography: /^bibitem$/,
  tasks: /^task$/,
};
const counted = /^(?:enumerate|compactenum|questions|parts|subparts|tasks)$/;

export const isList = (environment: string): boolean =>
  listEnvironments.has(environment) || Object.hasOwn(itemCommands, environment);

/** @param environment without a star */
export function readList(state: ReaderState, environment: string, inner: string): Block {
  const head = scanLatex(inner);
  const options = readOptional(head, 0);
  const body = options ? inner.slice(head[options.close]!.end) : inner;
  const tokens = scanLatex(body);
  const isItem = itemCommands[environment] ?? /^item$/;
  const isBibliography = environment === 'thebibliography';
  const isDescription = environment === 'description';
  const isCounted = counted.test(environment);
  const depth = { questions: 0, parts: 1, subparts: 2 }[environment] ?? (isCounted ? state.listDepth : 0);
  const counting = isCounted
    ? readCounting(options ? inner.slice(options.start, options.end) : '', depth)
    : null;
  const around = state.current;
  if (isCounted) state.listDepth++;
  let count = 0;
  const parts = splitTop(body, tokens, (token) => token.kind === 'command' && isItem.test(token.name));
  const items: ListItem[] = parts.slice(1).map(({ start, end, separator }) => {
    const after = readOptional(tokens, separator + 1);
    const isOwn = after !== null && (!isCounted || /^item$/.test(tokens[separator]!.name));
    const text = after ? body.slice(after.start, after.end) : '';
    let content = body.slice(after ? tokens[after.close]!.end : start, end);
    let label: Inline[] | null = null;
    let id: string | null = null;
    if (isBibliography) {
      const key = /^\s*\{([^{}]*)\}/.exec(content);
      content = key ? content.slice(key[0].length) : content;
      const number = text || String(++count);
      id = state.newId();
      if (key) state.setLabel(key[1]!.trim(), { number, name: 'Reference', id });
      label = [{ kind: 'text', text: `[${number}]` }];
    } else if (isOwn) label = trimInlines(readInlines(state, text));
    else if (counting) {
      count++;
      const number = printCount({ ...counting, before: '', after: '' }, count);
      id = state.newId();
      state.current = { number, name: 'Item', id };
      label = [{ kind: 'text', text: printCount(counting, count) }];
    }
    const blocks = state.readBlocks(content);
    const points = after && !isOwn ? text.trim() : '';
    if (/^\d+$/.test(points)) blocks.unshift(paragraph(`(${points} ${points === '1' ? 'point' : 'points'})`));
    if (id) anchorFirst(blocks, id);
    return { label, blocks };
  });
  if (isCounted) state.listDepth--;
  state.current = around;
  const list: Block = { kind: 'list', items, counting, isDescription };
  return list;
}

const paragraph = (text: string): Block => ({
  kind: 'paragraph',
  align: 'left',
  content: [{ kind: 'text', text }],
});

function anchorFirst(blocks: Block[], id: string): void {
  const first = blocks[0];
  if (first?.kind === 'paragraph') first.content.unshift({ kind: 'anchor', id });
  else blocks.unshift({ kind: 'paragraph', align: 'left', content: [{ kind: 'anchor', id }] });
}
