/** Vim and Emacs key bindings, each loaded when first selected. */
import { Compartment, type Extension, Prec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

export type KeyMode = 'standard' | 'vim' | 'emacs';

const place = new Compartment();

/** Precedes every other key map: in Vim's normal mode a letter is a command. */
export const keyMode: Extension = Prec.highest(place.of([]));

export async function setKeyMode(view: EditorView, mode: KeyMode): Promise<void> {
  const extension = await loadKeys(mode);
  if (view.dom.isConnected) view.dispatch({ effects: place.reconfigure(extension) });
}

async function loadKeys(mode: KeyMode): Promise<Extension> {
  if (mode === 'vim') return (await import('@replit/codemirror-vim')).vim({ status: true });
  if (mode === 'emacs') return (await import('@replit/codemirror-emacs')).emacs();
  return [];
}
