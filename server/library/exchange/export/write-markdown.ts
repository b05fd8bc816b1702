/** Markdown (CommonMark with the tables, footnotes and `$…$` of GitHub, Obsidian and pandoc). Formulas stay LaTeX. */

import { printReference } from '#latex/reader/print-reference.ts';
import type { Block, Inline } from '#latex/reader/tree.ts';
import { prepareFormula } from '../formula/prepare-formula.ts';
import { findFigure, type WriterInput } from './references.ts';

export function writeMarkdown(input: WriterInput): string {
  const writer = new MarkdownWriter(input);
  const body = writer.blocks(input.document.blocks);
  return `${[body, ...writer.notes].join('\n\n').trim()}\n`;
}

class MarkdownWriter {
  readonly notes: string[] = [];
  readonly #input: WriterInput;

  constructor(input: WriterInput) {
    this.#input = input;
  }

  blocks(blocks: readonly Block[]): string {
    return blocks
      .map((block) => this.#block(block))
      .filter((text) => text !== '')
      .join('\n\n');
  }

  #block(block: Block): string {
    switch (block.kind) {
      case 'heading': {
        const marks = '#'.repeat(block.id === 'title' ? 1 : block.level + 1);
        return `${marks} ${block.number ? `${block.number} ` : ''}${this.#line(block.content)}`;
      }
      case 'paragraph':
        return guardStart(this.#inlines(block.content).trim());
      case 'formula':
        return this.#display(block.tex, block.number);
      case 'list':
        return this.#list(block);
      case 'table':
        return this.#table(block);
      case 'code':
        return fenced(block.text, '');
      case 'source':
        return fenced(block.tex, 'latex');
      case 'quote':
        return prefixed(this.blocks(block.blocks), '> ', '> ');
      case 'statement': {
        const [first, ...rest] = block.blocks;
        const head = this.#inlines(block.head);
        return first?.kind === 'paragraph'
          ? this.#joined(`${head} ${this.#inlines(first.content)}`, rest)
          : this.#joined(head, block.blocks);
      }
      case 'float':
        return this.blocks(block.blocks);
      case 'caption': {
        const name = [block.name, block.number].filter(Boolean).join(' ');
        return `${name ? `**${name}.** ` : ''}${this.#inlines(block.content)}`;
      }
      case 'lines':
        return block.lines
          .map(({ depth, content }) => `${'&emsp;'.repeat(depth)}${this.#line(content)}`)
          .join('  \n');
      case 'rule':
        return '---';
      default:
        return block satisfies never;
    }
  }

  #joined(first: string, rest: readonly Block[]): string {
    return [first.trim(), this.blocks(rest)].filter((text) => text !== '').join('\n\n');
  }

  #list({ items, counting, isDescription }: Extract<Block, { kind: 'list' }>): string {
    // Markdown numbers lists with digits only: other labels are written out
    const isPlain = counting?.format === 'decimal' && counting.before === '' && counting.after === '.';
    return items
      .map(({ label, blocks }) => {
        const name = label ? this.#line(label) : '';
        const isNumber = isPlain && /^\d+\.$/.test(name);
        const marker = isNumber ? `${name} ` : '- ';
        const shown = !label || isNumber ? '' : isDescription ? `**${name}** ` : `${name} `;
        const text = `${shown}${this.blocks(blocks)}`;
        return prefixed(text, marker, ' '.repeat(marker.length));
      })
      .join('\n');
  }

  #table({ rows, headRows }: Extract<Block, { kind: 'table' }>): string {
    const width = Math.max(1, ...rows.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)));
    const cells = rows.map((row) => {
      const texts = row.flatMap(({ blocks, columns }) => [
        this.blocks(blocks)
          .replace(/\s*\n\s*/g, ' ')
          .replace(/(?<!\\)\|/g, '\\|'),
        ...Array<string>(columns - 1).fill(''),
      ]);
      return `| ${Array.from({ length: width }, (_, index) => texts[index] ?? '').join(' | ')} |`;
    });
    const aligns = rows.find((row) => row.length === width)?.map(({ align }) => align) ?? [];
    const marks = { left: ':---', center: ':---:', right: '---:' };
    const line = `| ${Array.from({ length: width }, (_, index) => marks[aligns[index] ?? 'left']).join(' | ')} |`;
    const head = headRows > 0 ? cells[0]! : `|${'  |'.repeat(width)}`;
    return [head, line, ...cells.slice(headRows > 0 ? 1 : 0)].join('\n');
  }

  #display(tex: string, number: string | null): string {
    const body = this.#tex(tex);
    // a space or a list marker at the start of a line would end the formula in some readers
    return `$$\n${body.replace(/\n\s*\n/g, '\n')}${number ? ` \\tag{${number}}` : ''}\n$$`;
  }

  #tex(tex: string): string {
    return prepareFormula(tex, this.#input.document.labels).trim();
  }

  /** For headings and cells: one line. */
  #line(content: readonly Inline[]): string {
    return this.#inlines(content)
      .replace(/\s*\n\s*/g, ' ')
      .trim();
  }

  #inlines(content: readonly Inline[]): string {
    return content.map((one) => this.#inline(one)).join('');
  }

  #inline(one: Inline): string {
    switch (one.kind) {
      case 'text':
        return escapeMarkdown(one.text);
      case 'styled': {
        const inner = this.#inlines(one.content);
        if (one.style === 'code')
          return (
            codeSpan(one.content.map((part) => (part.kind === 'text' ? part.text : '')).join('')) || inner
          );
        const marks = {
          bold: '**',
          italic: '*',
          underline: '',
          highlight: '',
          'small-caps': '',
          superscript: '',
          subscript: '',
        };
        return wrapWords(inner, marks[one.style]);
      }
      case 'formula':
        return `$${this.#tex(one.tex).replace(/\s*\n\s*/g, ' ')}$`;
      case 'link':
        return one.address ? `[${this.#inlines(one.content)}](<${one.address}>)` : this.#inlines(one.content);
      case 'reference':
        return escapeMarkdown(printReference(one, this.#input.document.labels).text);
      case 'footnote': {
        const number = this.notes.push('');
        this.notes[number - 1] = `[^${number}]: ${this.#line(one.content)}`;
        return `[^${number}]`;
      }
      case 'line-break':
        return '  \n';
      case 'image': {
        const figure = findFigure(one.name, this.#input.figures);
        return `![](${figure?.name ?? encodeURI(one.name)})`;
      }
      case 'anchor':
        return '';
      default:
        return one satisfies never;
    }
  }
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>$|~]/g, '\\$&');
}

/** Escapes a paragraph that begins like a list, a heading or a rule. */
function guardStart(text: string): string {
  return text.replace(/^(\s*)(#{1,6}\s|[-+]\s|---+$|=+$)/, '$1\\$2').replace(/^(\s*\d+)([.)]\s)/, '$1\\$2');
}

/** Emphasis marks must touch words: white space goes outside. */
function wrapWords(text: string, mark: string): string {
  const [, before, inner, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)!;
  return inner ? `${before}${mark}${inner}${mark}${after}` : text;
}

function codeSpan(text: string): string {
  if (text.trim() === '') return '';
  const runs = [...text.matchAll(/`+/g)].map((run) => run[0].length);
  const mark = '`'.repeat(Math.max(0, ...runs) + 1);
  const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${gap}${text.replace(/\n/g, ' ')}${gap}${mark}`;
}

function fenced(text: string, language: string): string {
  const runs = [...text.matchAll(/^\s*`{3,}/gm)].map((run) => run[0].trim().length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : line === '' ? others.trimEnd() : others) + line)
    .join('\n');
}
