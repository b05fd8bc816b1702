/** Shows compile messages at their lines in the editor, and applies fixes. */
import { type Diagnostic, diagnosticCount, setDiagnostics } from '@codemirror/lint';
import { ChangeSet, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { findDifference } from '#latex/edits/text-difference.ts';
import type { LogFix, LogMessage } from '#shared/api/errors.ts';

export interface CompileReport {
  messages: readonly LogMessage[];
  /** The compiled text; null for the current text. */
  text: string | null;
  /** The fix for one of the messages, tried on this very text. */
  fix?: { of: string; fix: LogFix } | null;
}

/** Marks the messages at their lines, replacing earlier marks. */
export function showReport(editor: EditorView, report: CompileReport): void {
  const found = listDiagnostics(editor.state.doc, report);
  if (found.length > 0 || diagnosticCount(editor.state) > 0)
    editor.dispatch(setDiagnostics(editor.state, found));
}

/** Returns where a line of the compiled text now begins; null if it had no such line. */
function findLineStart(doc: Text, report: CompileReport): (line: number) => number | null {
  const { text } = report;
  const compiled = text === null ? doc : Text.of(text.split('\n'));
  const moved = text === null ? null : findDifference(text, doc.toString());
  return (line) => {
    if (line > compiled.lines) return null;
    let at = compiled.line(line).from;
    if (moved && at >= moved.fromEnd) at += moved.toEnd - moved.fromEnd;
    else if (moved && at > moved.start) at = moved.start;
    return Math.min(at, doc.length);
  };
}

function listDiagnostics(doc: Text, report: CompileReport): Diagnostic[] {
  // most reports while typing: nothing is compared for them
  if (report.messages.length === 0) return [];
  const startOf = findLineStart(doc, report);
  // a fix applies only to the text as it was compiled
  const isSame = report.text === null || doc.eq(Text.of(report.text.split('\n')));
  const fixed =
    isSame && report.fix ? report.messages.find(({ message }) => message === report.fix?.of) : undefined;
  return report.messages.flatMap((message): Diagnostic[] => {
    const at = message.line === null || message.level === 'badbox' ? null : startOf(message.line);
    if (at === null || message.level === 'badbox') return [];
    const line = doc.lineAt(at);
    const fix = message === fixed ? report.fix?.fix : undefined;
    const words = [message.message, message.explanation, message.suggestion && `Try: ${message.suggestion}`];
    return [
      {
        from: line.from,
        to: line.to,
        severity: message.level,
        message: words.filter(Boolean).join('\n'),
        ...(fix
          ? { actions: [{ name: fix.title, apply: (editor: EditorView) => applyFixes(editor, [fix]) }] }
          : {}),
      },
    ];
  });
}

/**
 * Applies the first step to the text that it was proposed for, and each other to the result of the one before; one
 * step of undo.
 */
export function applyFixes(editor: EditorView, steps: readonly LogFix[]): void {
  let { doc } = editor.state;
  let all = ChangeSet.empty(doc.length);
  for (const { edits } of steps) {
    const present = doc;
    const offsetOf = ({ line, column }: LogFix['edits'][number]['from']) => {
      const { from, to } = present.line(Math.min(line, present.lines));
      return Math.min(from + column, to);
    };
    const changes = edits.map(({ from, to, insert }) => ({ from: offsetOf(from), to: offsetOf(to), insert }));
    const step = ChangeSet.of(changes, present.length);
    all = all.compose(step);
    doc = step.apply(present);
  }
  let first = 0;
  all.iterChangedRanges((from) => {
    first ||= from;
  });
  editor.dispatch({ changes: all, effects: EditorView.scrollIntoView(first, { y: 'nearest' }) });
}
