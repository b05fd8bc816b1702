/** The heading at the cursor: detecting and changing it. */
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';

const headingNames = [
  'part',
  'chapter',
  'section',
  'subsection',
  'subsubsection',
  'paragraph',
  'subparagraph',
] as const;
export type HeadingName = (typeof headingNames)[number];

const opening = new RegExp(String.raw`^(\s*)\\(${headingNames.join('|')})(\*?)(?![A-Za-z])`);

interface FoundHeading {
  name: HeadingName;
  /** In columns of the line: the name, the title, and where the whole command ends. */
  nameFrom: number;
  nameTo: number;
  titleFrom: number;
  titleTo: number;
  to: number;
}

/** A heading that begins this line; its title must end there too. */
function parseHeading(text: string): FoundHeading | 'unfinished' | null {
  const found = opening.exec(text);
  if (!found) return null;
  const nameFrom = found[1]!.length + 1;
  const nameTo = nameFrom + found[2]!.length;
  const group = /^\s*(?:\[[^\]]*\]\s*)?\{/.exec(text.slice(found[0].length));
  if (!group) return 'unfinished';
  const titleFrom = found[0].length + group[0].length;
  let depth = 1;
  for (let at = titleFrom; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0)
      return { name: found[2] as HeadingName, nameFrom, nameTo, titleFrom, titleTo: at, to: at + 1 };
  }
  return 'unfinished';
}

/** Null: no heading. */
export function readHeading(state: EditorState): HeadingName | null {
  const { text } = state.doc.lineAt(state.selection.main.head);
  return (opening.exec(text)?.[2] as HeadingName | undefined) ?? null;
}

/**
 * Makes the cursor's line this heading, or plain text. Star, short title and label are kept; null if the line cannot be
 * changed, because its title continues on the next.
 */
export function setHeading(state: EditorState, name: HeadingName | null): TransactionSpec | null {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const { text } = line;
  const found = parseHeading(text);
  if (found === 'unfinished') {
    const old = opening.exec(text)!;
    const from = line.from + old[1]!.length + 1;
    return name && { changes: { from, to: from + old[2]!.length, insert: name }, userEvent: 'input.format' };
  }
  if (found && name)
    return {
      changes: { from: line.from + found.nameFrom, to: line.from + found.nameTo, insert: name },
      scrollIntoView: true,
      userEvent: 'input.format',
    };
  const margin = text.length - text.trimStart().length;
  const [contentFrom, contentTo] = found
    ? [found.titleFrom, found.titleTo]
    : [margin, Math.max(margin, text.trimEnd().length)];
  const before = found ? '' : `\\${name}{`;
  if (!found && !name) return null;
  const changes = found
    ? [
        { from: line.from + found.nameFrom - 1, to: line.from + found.titleFrom },
        { from: line.from + found.titleTo, to: line.from + found.to },
      ]
    : [
        { from: line.from + contentFrom, insert: before },
        { from: line.from + contentTo, insert: '}' },
      ];
  const shift = found ? found.nameFrom - 1 - found.titleFrom : before.length;
  const place = (offset: number) => {
    const isHere = offset >= line.from && offset <= line.to;
    const column = Math.max(contentFrom, Math.min(offset - line.from, contentTo));
    return isHere ? line.from + column + shift : state.changes(changes).mapPos(offset);
  };
  return {
    changes,
    selection: EditorSelection.range(place(main.anchor), place(main.head)),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

/** Makes the line this heading, or text if it is that heading already. */
export function toggleHeading(state: EditorState, name: HeadingName): TransactionSpec | null {
  return setHeading(state, readHeading(state) === name ? null : name);
}
