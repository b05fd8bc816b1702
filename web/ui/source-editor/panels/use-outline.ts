/** The outline of what is edited, kept up to date. */
import type { EditorView } from '@codemirror/view';
import { useRef } from 'react';
import { projectTexts } from '../extensions/surroundings.ts';
import { type KnownParts, listProjectHeadings, type ProjectHeading } from '../lines/project-outline.ts';
import { getStructure } from '../lines/structure.ts';
import { type Facts, sameFields, useFacts } from './use-view.ts';

interface Outline {
  headings: readonly ProjectHeading[];
  /** The index of the heading that the cursor is under; -1 before the first. */
  here: number;
}

/** The headings, in a document of several files those of all in reading order, and the cursor among them. */
export function useOutline(view: EditorView): Outline {
  const known = useRef<KnownParts>(new Map());
  const facts = useRef<Facts<Outline>>({
    read: ({ state }) => {
      const project = state.facet(projectTexts);
      const file = project?.file ?? null;
      const headings =
        (project && listProjectHeadings(state, project, known.current)) ??
        getStructure(state).headings.map(({ level, title, line }) => ({ file, level, title, line }));
      const { number } = state.doc.lineAt(state.selection.main.head);
      const before = headings.findLastIndex((one) => one.file === file && one.line <= number);
      const first = headings.findIndex((one) => one.file === file);
      // above the first heading of a part, the one before that part is the nearest
      return { headings, here: before < 0 && first > 0 ? first - 1 : before };
    },
    isSame: (one, other) =>
      one.here === other.here &&
      one.headings.length === other.headings.length &&
      one.headings.every((heading, at) => sameFields(heading, other.headings[at]!)),
    restMs: 120,
  });
  return useFacts(view, facts.current);
}
