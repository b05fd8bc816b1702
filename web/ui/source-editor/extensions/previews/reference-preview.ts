/** What `\ref`, `\eqref` and `\cite` point to, shown under the pointer; a click on it goes there. */
import { EditorView, hoverTooltip } from '@codemirror/view';
import { getLineIndex } from '../../lines/line-index.ts';

export const referencePreview = [
  hoverTooltip(async (view, at) => {
    const { marks } = getLineIndex(view.state).lines[view.state.doc.lineAt(at).number - 1]!;
    if (!marks.some(({ kind }) => kind === 'reference' || kind === 'citation')) return null;
    const { doc } = view.state;
    // offline: no preview
    const loaded = await import('./reference-tooltip.ts').catch(() => null);
    return loaded && view.state.doc === doc ? loaded.makeReferenceTooltip(view, at) : null;
  }),
  EditorView.baseTheme({
    '.cm-tooltip .cm-reference-preview': {
      padding: '0.5rem 0.75rem',
      maxWidth: 'min(30rem, 90vw)',
      maxHeight: '14rem',
      overflow: 'auto',
      fontSize: '0.8125rem',
      lineHeight: '1.45',
      color: 'var(--ink)',
    },
    '.cm-reference-title': {
      display: 'block',
      padding: '0',
      border: 'none',
      background: 'none',
      font: 'inherit',
      fontSize: '0.75rem',
      color: 'var(--graphite)',
    },
    'button.cm-reference-title': {
      cursor: 'pointer',
      textDecoration: 'underline',
      textUnderlineOffset: '3px',
    },
    '.cm-reference-preview .katex-display': { margin: '0.25rem 0' },
  }),
];
