/** The headings of a document of several files, in the order in which its pages have them. */
import { type EditorState, Text } from '@codemirror/state';
import { readableTitle } from '#latex/source/title/readable-title.ts';
import { getLineIndex, scanAll } from './line-index.ts';
import { type ScannedLine, scanLine } from './scan-line.ts';

/** The texts of a document, as an editor of one of them sees them. */
export interface ProjectTexts {
  /** The file that this editor shows; null for the document's own text. */
  file: string | null;
  /** As it is now; null if there is no such text. */
  read: (file: string | null) => string | null;
  /** The file that a line of a text names at this offset; null if it names none. */
  find: (file: string | null, line: string, at: number) => string | null;
  /** Shows a line, 1-based, of one of them. */
  show: (file: string | null, line: number) => void;
  /** Calls `listener` when another file is shown, or its text has changed. @returns a function that ends it */
  onChange: (listener: () => void) => () => void;
}

export interface ProjectHeading {
  /** Null for the document's own text. */
  file: string | null;
  /** 0 part and chapter, 1 section … 5 subparagraph. */
  level: number;
  title: string;
  /** 1-based. */
  line: number;
}

type Part = ProjectHeading | { include: string };

/** What was found in texts that no editor shows, to be found again while they stay the same. */
export type KnownParts = Map<string | null, { text: string; parts: readonly Part[] }>;

const include = /\\(?:input|include|subfile|(?:sub)?import)(?![A-Za-z@])/g;

/** Null if the document's own text includes no other, or does not include this editor's: then the file stands alone. */
export function listProjectHeadings(
  state: EditorState,
  project: ProjectTexts,
  known: KnownParts,
): ProjectHeading[] | null {
  const visited = new Set<string | null>();
  const list = (file: string | null, around: readonly (string | null)[]): ProjectHeading[] => {
    visited.add(file);
    const inside = [...around, file];
    return partsOf(file).flatMap((part) => {
      if (!('include' in part)) return [part];
      return inside.includes(part.include) ? [] : list(part.include, inside);
    });
  };
  const partsOf = (file: string | null): readonly Part[] => {
    if (file === project.file) return listParts(file, state.doc, getLineIndex(state).lines, project);
    const text = project.read(file);
    if (text === null) return [];
    const before = known.get(file);
    if (before?.text === text) return before.parts;
    const doc = Text.of(text.split(/\r\n?|\n/));
    const parts = listParts(file, doc, scanAll(doc), project);
    known.set(file, { text, parts });
    return parts;
  };
  const headings = list(null, []);
  return visited.size > 1 && visited.has(project.file) ? headings : null;
}

function listParts(
  file: string | null,
  doc: Text,
  lines: readonly ScannedLine[],
  project: ProjectTexts,
): Part[] {
  const parts: Part[] = [];
  let number = 0;
  for (const text of doc.iterLines()) {
    const { entry, marks } = lines[number++]!;
    const found: { from: number; part: Part }[] = [];
    for (const { kind, from, count, name } of marks)
      if (kind === 'heading')
        found.push({ from, part: { file, level: count, title: readableTitle(name), line: number } });
    for (const { index } of text.matchAll(include)) {
      const name = isPrinted(text, entry, index) ? project.find(file, text, index + 1) : null;
      if (name !== null) found.push({ from: index, part: { include: name } });
    }
    parts.push(...found.sort((a, b) => a.from - b.from).map(({ part }) => part));
  }
  return parts;
}

/** False in a comment, and where code is shown as it is. */
function isPrinted(text: string, entry: string, at: number): boolean {
  let isHidden = false;
  scanLine(text, entry, (kind, from, to) => {
    if (from <= at && at < to) isHidden = kind === 'comment' || kind === 'verbatim';
  });
  return !isHidden;
}
