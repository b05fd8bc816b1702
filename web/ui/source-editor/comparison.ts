/**
 * The source view for comparisons: highlighted and numbered as in the editor, with deletions in red and insertions in
 * green.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { shownCharacters } from './extensions/hidden-characters.ts';
import { highlight } from './extensions/highlight.ts';
import { look } from './extensions/look.ts';
import { lineIndex } from './lines/line-index.ts';

/** The parts that @codemirror/merge marks. The underline shows changed words without relying on colour. */
const differences = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--red-wash)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--green-wash)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    textDecoration: 'underline 2px var(--red)',
    textUnderlineOffset: '4px',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'none',
    textDecoration: 'underline 2px var(--green)',
    textUnderlineOffset: '4px',
  },
  '.cm-deletedChunk': { padding: '0 1rem 0 0.75rem' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--red)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--green)' },
  '.cm-collapsedLines': {
    padding: '0.25rem 0.75rem',
    background: 'var(--paper-deep)',
    color: 'var(--graphite)',
    fontFamily: 'var(--font-sans-stack)',
    fontSize: '0.75rem',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""', margin: '0' },
});

/** @param options `label`: names the text for screen readers */
export function showCompared({
  label,
  isEditable = false,
}: {
  label: string;
  isEditable?: boolean;
}): Extension {
  return [
    lineIndex,
    lineNumbers(),
    highlight,
    shownCharacters,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    isEditable
      ? [history(), drawSelection(), keymap.of([...historyKeymap, ...defaultKeymap])]
      : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
    look,
    differences,
  ];
}
