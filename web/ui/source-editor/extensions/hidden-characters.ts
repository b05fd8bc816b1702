/** Spells out invisible characters in the source, so that no line looks different from what it is. */
import type { Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars } from '@codemirror/view';
import { hiddenCharacters, nameCharacter } from '#latex/source/hidden-characters.ts';

export const shownCharacters: Extension = [
  highlightSpecialChars({
    addSpecialChars: hiddenCharacters,
    render(code, description) {
      const mark = document.createElement('span');
      mark.className = 'cm-hidden-character';
      mark.textContent = nameCharacter(String.fromCodePoint(code));
      mark.title = description ?? '';
      return mark;
    },
  }),
  EditorView.theme({
    '.cm-hidden-character': {
      unicodeBidi: 'isolate',
      direction: 'ltr',
      borderRadius: '0.25rem',
      backgroundColor: 'var(--red-wash)',
      color: 'var(--red)',
    },
  }),
];
