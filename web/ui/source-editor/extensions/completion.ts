/** Completion of commands, environments, labels, citations, packages, figures, and the document's own definitions. */
import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { type Extension, Facet } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** Further completion sources: spelling adds its suggestions here. */
export const furtherSources = Facet.define<CompletionSource>();

let sources: typeof import('./completion-sources.ts') | null = null;

async function loadSources(): Promise<typeof sources> {
  // offline: nothing is offered
  sources ??= await import('./completion-sources.ts').catch(() => null);
  return sources;
}

/** Answers at once when loaded. */
const complete: CompletionSource = (context) =>
  sources ? sources.complete(context) : loadSources().then((loaded) => loaded?.complete(context) ?? null);

export const completion: Extension = [
  autocompletion({
    override: [
      complete,
      async (context) => {
        for (const source of context.state.facet(furtherSources)) {
          const result = await source(context);
          if (result) return result;
        }
        return null;
      },
    ],
    icons: false,
    closeOnBlur: true,
    maxRenderedOptions: 60,
  }),
  EditorView.domEventHandlers({ focus: () => void loadSources() }),
  closeBrackets(),
  keymap.of([...closeBracketsKeymap, ...completionKeymap]),
];
