/** How the text looks when typeset: a serif page; source that is shown stays in the monospaced font. */
import { EditorView } from '@codemirror/view';

type StyleSpec = Parameters<typeof EditorView.theme>[0][string];

const heading = (size: string, weight = '600') => ({
  fontSize: size,
  fontWeight: weight,
  lineHeight: '1.3',
  fontStyle: 'normal',
  color: 'var(--ink)',
});

const indents = Object.fromEntries(
  [1, 2, 3, 4].map((depth) => [`.cm-line.cm-v-list-${depth}`, { paddingLeft: `${depth * 1.75 + 1}rem` }]),
);

const rules: Record<string, StyleSpec> = {
  '.cm-scroller': { fontFamily: 'var(--font-serif-stack)', lineHeight: '1.65' },
  '.cm-content': {
    fontSize: '1.25em',
    maxWidth: '46rem',
    minWidth: '0',
    margin: '0 auto',
    padding: '1.5rem 0.5rem 4rem',
  },
  '.cm-lineNumbers, .cm-foldGutter': { display: 'none !important' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-line': { padding: '0 1rem' },
  ...indents,
  '.cm-v-marker': {
    display: 'inline-block',
    minWidth: '1.5rem',
    margin: '0 0.35rem 0 -1.85rem',
    textAlign: 'right',
    color: 'var(--graphite)',
  },
  '.cm-line.cm-v-thin': { fontSize: '0.4em', lineHeight: '1' },
  '.cm-line.cm-v-center': { textAlign: 'center' },
  '.cm-line.cm-v-right': { textAlign: 'right' },
  '.cm-line.cm-v-quote': { paddingLeft: '2.5rem', paddingRight: '2.5rem' },
  '.cm-line.cm-v-abstract-line': { textAlign: 'center' },
  '.cm-line.cm-v-code-line': {
    fontFamily: 'var(--font-mono-stack)',
    backgroundColor: 'var(--wash)',
    lineHeight: '1.5',
  },
  '.cm-line.cm-v-heading-line-0': { paddingTop: '1.25rem' },
  '.cm-line.cm-v-heading-line-1': { paddingTop: '1rem' },
  '.cm-line.cm-v-heading-line-2': { paddingTop: '0.75rem' },
  '.cm-line.cm-v-heading-line-3': { paddingTop: '0.5rem' },
  '.cm-v-heading-0': heading('1.75em'),
  '.cm-v-heading-1': heading('1.45em'),
  '.cm-v-heading-2': heading('1.2em'),
  '.cm-v-heading-3': heading('1.05em'),
  '.cm-v-heading-4, .cm-v-heading-5': heading('1em'),
  '.cm-v-bold': { fontWeight: '700' },
  '.cm-v-italic': { fontStyle: 'italic' },
  '.cm-v-italic .cm-v-italic': { fontStyle: 'normal' },
  '.cm-v-underline': { textDecoration: 'underline', textUnderlineOffset: '3px' },
  '.cm-v-code': { fontFamily: 'var(--font-mono-stack)', fontSize: '0.85em' },
  '.cm-v-small-caps': { fontVariantCaps: 'small-caps' },
  '.cm-v-superscript': { verticalAlign: 'super', fontSize: '0.75em' },
  '.cm-v-subscript': { verticalAlign: 'sub', fontSize: '0.75em' },
  '.cm-v-link': { textDecoration: 'underline', textUnderlineOffset: '3px' },
  '.cm-v-comment': { color: 'var(--graphite)', fontSize: '0.85em' },
  '.cm-v-dim': { color: 'var(--graphite)', fontSize: '0.8em' },
  '.cm-v-head': { fontWeight: '700' },
  '.cm-v-abstract': { fontWeight: '700', fontSize: '0.9em' },
  '.cm-v-note': { backgroundColor: 'var(--wash)', fontSize: '0.85em', borderRadius: '0 0.25rem 0.25rem 0' },
  '.cm-v-chip': {
    fontFamily: 'var(--font-sans-stack)',
    fontSize: '0.7em',
    lineHeight: '1.4',
    padding: '0.1em 0.4em',
    margin: '0 0.15em',
    border: '1px solid var(--hairline)',
    borderRadius: '0.25rem',
    backgroundColor: 'var(--wash)',
    color: 'var(--graphite)',
    overflowWrap: 'anywhere',
  },
  '.cm-v-formula': { cursor: 'text' },
  '.cm-v-display': {
    display: 'inline-block',
    width: '100%',
    verticalAlign: 'top',
    overflow: 'hidden',
    padding: '0.5rem 1rem',
  },
  '.cm-v-display .katex-display': { margin: '0', fontSize: 'calc(1em * var(--scale, 1))' },
  // as wide as its signs: a scaled-down formula grows again when there is room
  '.cm-v-display .katex-html:not(:has(> .tag))': { display: 'inline-block' },
  // the backplate behind each sign would cover the signs below it
  '@media (forced-colors: active)': {
    '&.cm-visual .katex': { forcedColorAdjust: 'none', color: 'CanvasText' },
  },
  '.cm-v-wide': { overflowX: 'auto' },
  '.cm-v-unset': {
    overflowWrap: 'anywhere',
    fontFamily: 'var(--font-mono-stack)',
    fontSize: '0.8em',
    whiteSpace: 'pre-wrap',
    color: 'var(--code-command)',
  },
  '.cm-v-preamble': { padding: '0 1rem 0.75rem', fontFamily: 'var(--font-sans-stack)' },
  '.cm-v-preamble button': {
    minHeight: '2rem',
    padding: '0 0.75rem',
    border: '1px solid var(--hairline)',
    borderRadius: '0.375rem',
    fontSize: '0.75rem',
    color: 'var(--graphite)',
    backgroundColor: 'var(--page)',
  },
  '.cm-v-preamble button:hover': { color: 'var(--ink)', backgroundColor: 'var(--wash)' },
  '@media (pointer: coarse)': { '&.cm-visual .cm-v-preamble button': { minHeight: '2.75rem' } },
  '.cm-line .cm-v-set': { display: 'inline-block', maxWidth: '100%', padding: '0', verticalAlign: 'top' },
  '.cm-v-set': { padding: '0.5rem 1rem', cursor: 'text', lineHeight: '1.5', whiteSpace: 'normal' },
  '.cm-v-set > * + *': { marginTop: '0.5rem' },
  '.cm-v-set-title': { textAlign: 'center', padding: '0.5rem 1rem 1.5rem' },
  '.cm-v-title': { fontSize: '1.75em', lineHeight: '1.25' },
  // parts that stay source
  '.tok-command, .tok-heading, .tok-environment, .tok-argument, .tok-brace, .tok-delimiter, .tok-math, .tok-math-command, .tok-verbatim':
    {
      fontFamily: 'var(--font-mono-stack)',
      fontSize: '0.8em',
      fontStyle: 'normal',
    },
  '.tok-comment': { fontStyle: 'normal' },
  // it is already typeset
  '.cm-tooltip-hover:has(.cm-maths-preview)': { display: 'none' },
};

/** More specific than the editor's look, whichever of the two comes first. */
export const visualLook = EditorView.theme(
  Object.fromEntries(
    Object.entries(rules).map(([names, style]) =>
      names.startsWith('@')
        ? [names, style]
        : [
            names
              .split(', ')
              .map((name) => `&.cm-visual ${name}`)
              .join(', '),
            style,
          ],
    ),
  ),
);
