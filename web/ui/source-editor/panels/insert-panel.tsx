import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { withoutLabels } from '#latex/source/read-commands.ts';
import { insertCitation, insertFigure, insertReference, insertTable } from '../edits/insertions.ts';
import { command } from '../extensions/formatting.ts';
import { citations, figureNames } from '../extensions/surroundings.ts';
import { getStructure } from '../lines/structure.ts';
import { type LabelTarget, listLabels } from '../lines/targets.ts';
import { FigureList } from './figure-list.tsx';
import { PickList } from './pick-list.tsx';
import { TableGrid } from './table-grid.tsx';

export type InsertPanelName = 'table' | 'figure' | 'citation' | 'reference';

interface InsertPanelProps {
  name: InsertPanelName;
  view: EditorView;
  /** Closes the panel, edits, and returns the focus. */
  run: (edit: (view: EditorView) => boolean) => void;
  onPictures: ((files: File[]) => void) | undefined;
}

/** What the formatting bar opens to ask for a size or a name. Loaded with the first of them. */
export function InsertPanel({ name, view, run, onPictures }: InsertPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  // the popover opened before this was mounted
  useEffect(() => panel.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus(), []);
  return <div ref={panel}>{contentOf({ name, view, run, onPictures })}</div>;
}

function contentOf({ name, view, run, onPictures }: InsertPanelProps) {
  switch (name) {
    case 'table':
      return (
        <TableGrid onPick={(rows, columns) => run(command((state) => insertTable(state, rows, columns)))} />
      );
    case 'figure':
      return (
        <FigureList
          names={view.state.facet(figureNames)()}
          onPick={(figure) => run(command((state) => insertFigure(state, figure)))}
          onPictures={onPictures}
        />
      );
    case 'citation':
      return (
        <PickList
          label="Find a source"
          items={listSources(view)}
          empty="No sources yet. Add a .bib file under Figures, or write a \bibitem."
          onPick={(source) => run(command((state) => insertCitation(state, source.name)))}
        />
      );
    case 'reference':
      return (
        <PickList
          label="Find a label"
          items={listLabels(view.state).map((target) => ({
            target,
            name: target.name,
            detail: [target.what, readable(target)].filter(Boolean).join(': '),
          }))}
          empty="Nothing to refer to yet. Write \label{name} after a heading, a caption or in a formula."
          onPick={({ target }) => run(command((state) => insertReference(state, target)))}
        />
      );
  }
}

/** A formula without its delimiters. */
const readable = ({ kind, text }: LabelTarget) =>
  kind === 'formula'
    ? withoutLabels(text)
        .replace(/\\(?:begin|end)\s*\{[^}]*\}/g, '')
        .trim()
    : text;

function listSources({ state }: EditorView): { name: string; detail: string }[] {
  const own = getStructure(state).citationKeys.map((name) => ({ name, detail: '' }));
  const fromFiles = state
    .facet(citations)()
    .map(({ key, detail }) => ({ name: key, detail }))
    .filter(({ name }) => !own.some((one) => one.name === name));
  return [...own, ...fromFiles];
}
