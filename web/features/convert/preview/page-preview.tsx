import { Fragment, useMemo } from 'react';
import { Formula } from '#web/ui/formula.tsx';
import { type PreviewBlock, type PreviewInline, parsePreview } from './parse-preview.ts';

/** An approximate rendering of one page's LaTeX, to read while the rest is in progress; the PDF will be exact. */
export function PagePreview({ latex }: { latex: string }) {
  const blocks = useMemo(() => parsePreview(latex), [latex]);
  return (
    <div className="space-y-3 font-serif text-[0.9375rem] leading-relaxed break-words hyphens-auto">
      <Blocks blocks={blocks} />
    </div>
  );
}

function Blocks({ blocks }: { blocks: PreviewBlock[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move within a page
  return blocks.map((block, index) => <Block key={`${block.kind}${index}`} block={block} />);
}

function Block({ block }: { block: PreviewBlock }) {
  switch (block.kind) {
    case 'heading':
      return (
        <p className={['text-xl', 'text-lg', 'text-base'][block.level - 1]}>
          <strong className="font-semibold">
            <Inlines inlines={block.children} />
          </strong>
        </p>
      );
    case 'paragraph':
      return (
        <p className="whitespace-pre-line">
          <Inlines inlines={block.children} />
        </p>
      );
    case 'display':
      return <Formula tex={block.tex} isDisplay />;
    case 'list': {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items never move within a page
        <li key={index} className="space-y-2 pl-1">
          <Blocks blocks={item} />
        </li>
      ));
      if (block.hasLabels) return <ul className="space-y-1 pl-2">{items}</ul>;
      return block.isOrdered ? (
        <ol className="list-decimal space-y-1 pl-6">{items}</ol>
      ) : (
        <ul className="list-disc space-y-1 pl-6">{items}</ul>
      );
    }
    case 'figure':
      return (
        <p className="rounded-md border border-dashed border-edge p-4 text-center font-sans text-[0.8125rem] text-graphite">
          Figure {block.name}
        </p>
      );
    case 'table':
      return (
        <div className="overflow-x-auto">
          <table className="mx-auto border-y border-edge text-[0.875rem]">
            <tbody>
              {block.rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows never move within a page
                <tr key={index} className="border-b border-hairline last:border-0">
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: nor do cells
                    <td key={column} className="px-3 py-1 align-baseline">
                      <Inlines inlines={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'source':
      return (
        <pre className="overflow-x-auto rounded-md bg-paper-deep p-3 font-mono text-xs leading-5 whitespace-pre-wrap">
          {block.text}
        </pre>
      );
  }
}

function Inlines({ inlines }: { inlines: PreviewInline[] }) {
  return inlines.map((inline, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: inlines never move within a page
    <Fragment key={index}>
      <Inline inline={inline} />
    </Fragment>
  ));
}

function Inline({ inline }: { inline: PreviewInline }) {
  switch (inline.kind) {
    case 'text':
      return <Marked text={inline.text} />;
    case 'math':
      return <Formula tex={inline.tex} isDisplay={false} />;
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      );
    case 'source':
      return <code className="font-mono text-[0.85em] text-graphite">{inline.text}</code>;
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
