/** An approximate rendering of LaTeX: pages before the PDF exists, figures and tables in the visual mode. */
import { createContext, Fragment, useContext, useMemo } from 'react';
import { printReference } from '#latex/reader/print-reference.ts';
import { readPage } from '#latex/reader/read-document.ts';
import type { Block as BlockOf, Inline as InlineOf, Label, Style } from '#latex/reader/tree.ts';
import { Formula } from './formula.tsx';

type Labels = ReadonlyMap<string, Label>;

/** Addresses of the pictures that a text names; null for one that cannot be shown. */
export const Pictures = createContext<(name: string) => string | null>(() => null);

/** What a stretch of LaTeX prints, without the layout of a page. */
export function LatexBlocks({ latex }: { latex: string }) {
  const { blocks, labels } = useMemo(() => readPage(latex), [latex]);
  return <Blocks blocks={blocks} labels={labels} />;
}

function Blocks({ blocks, labels }: { blocks: readonly BlockOf[]; labels: Labels }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move within a page
  return blocks.map((block, index) => <Block key={`${block.kind}${index}`} block={block} labels={labels} />);
}

function Block({ block, labels }: { block: BlockOf; labels: Labels }) {
  const inlines = (content: readonly InlineOf[]) => <Inlines content={content} labels={labels} />;
  switch (block.kind) {
    case 'heading':
      return (
        <p className={['text-xl', 'text-lg', 'text-base', 'text-base'][block.level - 1]}>
          <strong className="font-semibold">{inlines(block.content)}</strong>
        </p>
      );
    case 'paragraph':
      return <p className={aligns[block.align]}>{inlines(block.content)}</p>;
    case 'formula':
      return <Formula tex={block.tex} isDisplay />;
    case 'list':
      return <List list={block} labels={labels} />;
    case 'table':
      return <Table table={block} labels={labels} />;
    case 'code':
      return <Source text={block.text} />;
    case 'source':
      return <Source text={block.tex} />;
    case 'quote':
      return (
        <blockquote className="space-y-3 px-6">
          <Blocks blocks={block.blocks} labels={labels} />
        </blockquote>
      );
    case 'statement': {
      const [first, ...rest] = block.blocks;
      const runsOn = first?.kind === 'paragraph';
      return (
        <div className="space-y-3">
          <p>
            {inlines(block.head)} {runsOn && inlines(first.content)}
          </p>
          <Blocks blocks={runsOn ? rest : block.blocks} labels={labels} />
        </div>
      );
    }
    case 'float':
      return (
        <div className="space-y-2">
          <Blocks blocks={block.blocks} labels={labels} />
        </div>
      );
    case 'caption':
      return <p className="text-center text-[0.875rem] italic">{inlines(block.content)}</p>;
    case 'lines':
      return (
        <div className="border-y border-edge py-2">
          {block.lines.map(({ depth, content }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines never move within a page
            <p key={index} style={{ marginLeft: `${depth * 1.5}em` }}>
              {inlines(content)}
            </p>
          ))}
        </div>
      );
    case 'rule':
      return <hr className="border-edge" />;
  }
}

const aligns = { left: undefined, center: 'text-center', right: 'text-right' };

function List({ list, labels }: { list: Extract<BlockOf, { kind: 'list' }>; labels: Labels }) {
  const Tag = list.counting ? 'ol' : 'ul';
  return (
    <Tag className="list-disc space-y-1 pl-6">
      {list.items.map(({ label, blocks }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items never move within a page
        <li key={index} className={itemLooks(list, label)}>
          {label && (
            <span className={list.isDescription ? '-ml-6 block font-semibold' : '-ml-6 min-w-5 shrink-0'}>
              <Inlines content={label} labels={labels} />
            </span>
          )}
          <div className="min-w-0 space-y-2">
            <Blocks blocks={blocks} labels={labels} />
          </div>
        </li>
      ))}
    </Tag>
  );
}

function itemLooks({ isDescription }: { isDescription: boolean }, label: readonly InlineOf[] | null): string {
  if (!label) return 'pl-1';
  return isDescription ? 'list-none' : 'flex list-none gap-2';
}

function Table({ table, labels }: { table: Extract<BlockOf, { kind: 'table' }>; labels: Labels }) {
  return (
    <div className="overflow-x-auto">
      <table className="mx-auto border-y border-edge text-[0.875rem]">
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move within a page
            <tr key={index} className="border-b border-hairline last:border-0">
              {row.map(({ blocks, columns, align }, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: nor do cells
                  key={column}
                  colSpan={columns > 1 ? columns : undefined}
                  className={`px-3 py-1 align-baseline ${aligns[align] ?? ''}`}
                >
                  <Blocks blocks={blocks} labels={labels} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Source({ text }: { text: string }) {
  return (
    <pre className="overflow-x-auto rounded-md bg-paper-deep p-3 font-mono text-xs leading-5 whitespace-pre-wrap">
      {text}
    </pre>
  );
}

export function Inlines({ content, labels }: { content: readonly InlineOf[]; labels: Labels }) {
  return content.map((inline, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: inlines never move within a page
    <Fragment key={index}>
      <Inline inline={inline} labels={labels} />
    </Fragment>
  ));
}

const looks: Record<Style, string> = {
  bold: 'font-bold',
  italic: 'italic',
  code: 'font-mono text-[0.85em]',
  underline: 'underline',
  highlight: 'bg-wash',
  'small-caps': '[font-variant-caps:small-caps]',
  superscript: 'align-super text-[0.75em]',
  subscript: 'align-sub text-[0.75em]',
};

function Inline({ inline, labels }: { inline: InlineOf; labels: Labels }) {
  const inside = 'content' in inline && <Inlines content={inline.content} labels={labels} />;
  switch (inline.kind) {
    case 'text':
      return <Marked text={inline.text} />;
    case 'styled':
      return <span className={looks[inline.style]}>{inside}</span>;
    case 'formula':
      return <Formula tex={inline.tex} isDisplay={inline.isDisplay} />;
    case 'link':
      return <span className="underline">{inside}</span>;
    case 'reference':
      // the label may be on a later page
      return labels.has(inline.label) ? (
        printReference(inline, labels).text
      ) : (
        <code className="font-mono text-[0.85em] text-graphite">{inline.label}</code>
      );
    case 'footnote':
      return <span className="text-[0.85em] text-graphite"> ({inside})</span>;
    case 'line-break':
      return <br />;
    case 'image':
      return <Picture name={inline.name} width={inline.width} />;
    case 'anchor':
      return null;
  }
}

/** Shows `[illegible]`, the reader's mark for ink it could not read, in the proof-reader's red. */
function Marked({ text }: { text: string }) {
  const pieces = text.split('[illegible]');
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a constant text
    <Fragment key={index}>
      {index > 0 && <span className="text-red">[illegible]</span>}
      {piece}
    </Fragment>
  ));
}

function Picture({ name, width }: { name: string; width: number | null }) {
  const address = useContext(Pictures)(name);
  if (address === null)
    return (
      <span className="block rounded-md border border-dashed border-edge p-4 text-center font-sans text-[0.8125rem] text-graphite">
        Figure {name}
      </span>
    );
  return (
    <img
      src={address}
      alt={`Figure ${name}`}
      className="mx-auto block max-h-96 max-w-full"
      style={width === null ? undefined : { width: `${width * 100}%`, objectFit: 'contain' }}
    />
  );
}
