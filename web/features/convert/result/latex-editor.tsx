import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { stex } from '@codemirror/legacy-modes/mode/stex';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { type ChangeSet, Compartment, EditorState, Text, Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { LogFix, LogMessage } from '#shared/api/errors.ts';
import { findDifference } from '#web/lib/text-difference.ts';
import type { DoubtfulSpot } from './doubtful-spots.ts';
import { readSpots, showSpots, spotMarks } from './spot-marks.ts';

/** 1-based. */
export interface CursorPlace {
  line: number;
  column: number;
}

export interface LatexEditorHandle {
  /** 1-based. */
  jumpToLine: (line: number) => void;
  getCursor: () => CursorPlace;
  /** Applies a fix to the text that it was proposed for, as one step that can be undone. */
  applyFix: (fix: LogFix) => void;
  /** Selects a stretch; the focus moves into the editor only if it is asked to. */
  select: (start: number, end: number, options: { takeFocus: boolean }) => void;
}

interface LatexEditorProps {
  ref: Ref<LatexEditorHandle>;
  value: string;
  isReadOnly: boolean;
  /** Of the last compile; errors are marked at their lines. `text`: what was compiled; null for the value itself. */
  report: { messages: LogMessage[]; text: string | null };
  spots: DoubtfulSpot[];
  /** `spots`: where they stand after the edit. `changes`: what it did, by the offsets of the text before. */
  onChange: (value: string, spots: DoubtfulSpot[], changes: TextChange[]) => void;
  onCompile: () => void;
  /** Where is this place in the PDF? Asked for by Ctrl or Cmd with Shift and Enter, hinted at by a double click. */
  onLocate: (place: CursorPlace, isAsked: boolean) => void;
  /** F8 and Shift+F8. */
  onGoToSpot: (step: 1 | -1) => void;
}

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', backgroundColor: 'var(--page)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono-stack)', lineHeight: '1.6' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 1rem 0 0.75rem' },
  '.cm-gutters': { backgroundColor: 'var(--page)', color: 'var(--graphite)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.75rem', padding: '0 0.25rem 0 0.5rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--wash)' },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(oklch(0.88 0.06 262), oklch(0.42 0.08 262)) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--wash)', outline: '1px solid var(--edge)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--wash)' },
  '.cm-searchMatch': { backgroundColor: 'light-dark(oklch(0.93 0.07 95), oklch(0.42 0.07 95))' },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)', borderColor: 'var(--hairline)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--hairline)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.375rem',
    padding: '0.5rem 2.5rem 0.5rem 0.75rem',
    fontFamily: 'var(--font-sans-stack)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.375rem',
    minHeight: '2rem',
    padding: '0 0.25rem',
    fontSize: '0.8125rem',
    color: 'var(--graphite)',
  },
  '@media (max-width: 640px)': {
    // two rows on a phone: find, and replace
    '.cm-panel.cm-search [name=select], .cm-panel.cm-search label': { display: 'none' },
  },
  '.cm-panel.cm-search [type=checkbox]': { accentColor: 'var(--ink)' },
  '.cm-textfield': {
    backgroundColor: 'var(--page)',
    border: '1px solid var(--edge)',
    borderRadius: '0.375rem',
    minHeight: '2rem',
    padding: '0 0.625rem',
    fontSize: '0.8125rem',
  },
  '.cm-button': {
    background: 'var(--page)',
    border: '1px solid var(--hairline)',
    borderRadius: '0.375rem',
    minHeight: '2rem',
    padding: '0 0.625rem',
    fontSize: '0.8125rem',
    color: 'var(--ink)',
  },
  '.cm-panel.cm-search [name=close]': { fontSize: '1.25rem', right: '0.75rem', color: 'var(--graphite)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--page)',
    border: '1px solid var(--hairline)',
    borderRadius: '0.5rem',
    fontFamily: 'var(--font-sans-stack)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--red)' },
  '.cm-lint-marker': { width: '0.5rem', height: '0.5rem', borderRadius: '50%', margin: '0.4rem 0.25rem 0' },
  // CodeMirror draws pictures there
  '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--red)' },
  '.cm-lint-marker-warning': { content: '""', border: '1.5px solid var(--graphite)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--red) 1px',
    textUnderlineOffset: '3px',
  },
});

const highlight = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword], color: 'var(--code-command)' },
  { tag: [tags.atom, tags.string], color: 'var(--code-argument)' },
  { tag: tags.comment, color: 'var(--graphite)', fontStyle: 'italic' },
  { tag: tags.number, color: 'var(--code-argument)' },
]);

/** CodeMirror's own words for its search panel begin small. */
const searchPhrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Pattern',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
};

/** The LaTeX source: line numbers, search, undo, errors at their lines. Ctrl or Cmd with Enter or S compiles. */
export function LatexEditor({
  ref,
  value,
  isReadOnly,
  report,
  spots,
  onChange,
  onCompile,
  onLocate,
  onGoToSpot,
}: LatexEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const readOnly = useRef(new Compartment());
  const latest = useRef({ onChange, onCompile, onLocate, onGoToSpot });
  latest.current = { onChange, onCompile, onLocate, onGoToSpot };
  const firstValue = useRef(value);

  useEffect(() => {
    if (!place.current) return;
    const compile = () => {
      latest.current.onCompile();
      return true;
    };
    const locate = (editor: EditorView, isAsked = true) => {
      latest.current.onLocate(describeCursor(editor), isAsked);
      return true;
    };
    const goToSpot = (step: 1 | -1) => () => {
      latest.current.onGoToSpot(step);
      return true;
    };
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: firstValue.current,
        extensions: [
          // before the default keys: Mod-Enter would insert a blank line
          keymap.of([
            { key: 'Mod-Enter', run: compile, preventDefault: true },
            { key: 'Shift-Mod-Enter', run: (view) => locate(view), preventDefault: true },
            { key: 'Mod-s', run: compile, preventDefault: true },
            { key: 'F8', run: goToSpot(1), shift: goToSpot(-1), preventDefault: true },
          ]),
          lineNumbers(),
          lintGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          // literal: in LaTeX a backslash before n, r or t is a command and no line end
          search({ top: true, literal: true }),
          EditorState.phrases.of(searchPhrases),
          highlightSelectionMatches(),
          StreamLanguage.define(stex),
          syntaxHighlighting(highlight),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': 'LaTeX source',
            spellcheck: 'false',
            tabindex: '0',
          }),
          // Tab indents; Escape first gives it back to moving the focus (CodeMirror's own rule)
          keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
          EditorView.domEventHandlers({
            dblclick: (_, editor) => {
              // the word under it is selected first
              setTimeout(() => locate(editor, false));
            },
          }),
          readOnly.current.of([]),
          look,
          spotMarks,
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((transaction) =>
              transaction.annotation(Transaction.remote),
            );
            if (update.docChanged && !isOurs)
              latest.current.onChange(
                update.state.doc.toString(),
                readSpots(update.view),
                listChanges(update.changes),
              );
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  // text from elsewhere (a change request, a new delivery) comes in as one step that can be undone
  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString();
    if (!editor || shown === undefined || shown === value) return;
    const { start, fromEnd, toEnd } = findDifference(shown, value);
    editor.dispatch({
      changes: { from: start, to: fromEnd, insert: value.slice(start, toEnd) },
      annotations: Transaction.remote.of(true),
    });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    // offsets into another text than the one on screen would mark the wrong words
    if (editor && editor.state.doc.length === value.length) showSpots(editor, spots);
  }, [spots, value]);

  useEffect(() => {
    view.current?.dispatch({
      effects: readOnly.current.reconfigure(isReadOnly ? [EditorState.readOnly.of(true)] : []),
    });
  }, [isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch(setDiagnostics(editor.state, listDiagnostics(editor.state.doc, report)));
  }, [report]);

  useImperativeHandle(ref, () => ({
    jumpToLine: (number) => {
      const editor = view.current;
      if (!editor) return;
      const line = editor.state.doc.line(Math.max(1, Math.min(number, editor.state.doc.lines)));
      show(editor, line.from, line.from);
      editor.focus();
    },
    getCursor: () => (view.current ? describeCursor(view.current) : { line: 1, column: 1 }),
    applyFix: (fix) => {
      if (!view.current) return;
      applyFix(view.current, fix);
      view.current.focus();
    },
    select: (start, end, { takeFocus }) => {
      const editor = view.current;
      if (!editor || end > editor.state.doc.length) return;
      show(editor, start, end);
      if (takeFocus) editor.focus();
    },
  }));

  return <div ref={place} className="absolute inset-0" />;
}

function describeCursor({ state }: EditorView): CursorPlace {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1 };
}

function listChanges(changes: ChangeSet): TextChange[] {
  const list: TextChange[] = [];
  changes.iterChanges((from, to, _, __, insert) => list.push({ from, to, insert: insert.toString() }));
  return list;
}

/** Messages at their lines, wherever these went since the compile began. */
function listDiagnostics(doc: Text, { messages, text }: LatexEditorProps['report']): Diagnostic[] {
  const compiled = text === null ? doc : Text.of(text.split('\n'));
  const moved = text === null ? null : findDifference(text, doc.toString());
  return messages.flatMap((message): Diagnostic[] => {
    if (message.line === null || message.line > compiled.lines || message.level === 'badbox') return [];
    let at = compiled.line(message.line).from;
    if (moved && at >= moved.fromEnd) at += moved.toEnd - moved.fromEnd;
    else if (moved && at > moved.start) at = moved.start;
    const line = doc.lineAt(Math.min(at, doc.length));
    const { fix } = message;
    // a fix is made for the text as it was compiled
    const isFixable = fix && compiled.eq(doc);
    const words = [message.message, message.explanation, message.suggestion && `Try: ${message.suggestion}`];
    return [
      {
        from: line.from,
        to: line.to,
        severity: message.level,
        message: words.filter(Boolean).join('\n'),
        ...(isFixable
          ? { actions: [{ name: fix.title, apply: (editor: EditorView) => applyFix(editor, fix) }] }
          : {}),
      },
    ];
  });
}

function applyFix(editor: EditorView, { edits }: LogFix) {
  const { doc } = editor.state;
  const offsetOf = ({ line, column }: LogFix['edits'][number]['from']) => {
    const { from, to } = doc.line(Math.min(line, doc.lines));
    return Math.min(from + column, to);
  };
  const changes = edits.map(({ from, to, insert }) => ({ from: offsetOf(from), to: offsetOf(to), insert }));
  editor.dispatch({ changes, effects: EditorView.scrollIntoView(changes[0]?.from ?? 0, { y: 'nearest' }) });
}

function show(editor: EditorView, from: number, to: number) {
  editor.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
}
