/** A placeholder for spell checking, which is loaded when a language is first chosen. */
import { Compartment, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { retryImport } from '#web/lib/retry-import.ts';
import type { SpellingLanguage } from './spelling/languages.ts';

const place = new Compartment();
const off: Extension = [];
const wanted = new WeakMap<EditorView, SpellingLanguage | null>();

export const spellingMode: Extension = place.of(off);

export async function setSpelling(view: EditorView, language: SpellingLanguage | null): Promise<void> {
  wanted.set(view, language);
  if (language === null && place.get(view.state) === off) return;
  const { spelling, chooseLanguage } = await retryImport(() => import('./extensions/spelling.ts'));
  // another language was chosen while it was loading, or the editor was closed
  if (wanted.get(view) !== language || !view.dom.isConnected) return;
  if (place.get(view.state) === off) view.dispatch({ effects: place.reconfigure(spelling) });
  chooseLanguage(view, language);
}
