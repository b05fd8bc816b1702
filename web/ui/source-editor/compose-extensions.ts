/** The one place where the parts of the source editor are combined. Comments say where the order matters. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { keptWords } from './editor-settings.ts';
import { calmScroll } from './extensions/calm-scroll.ts';
import { completion } from './extensions/completion.ts';
import { closeEnvironment, indent } from './extensions/environments/close-environment.ts';
import { matchingEnvironment } from './extensions/environments/matching-environment.ts';
import { renameEnvironment } from './extensions/environments/rename-environment.ts';
import { folding } from './extensions/folding.ts';
import { formatting } from './extensions/formatting.ts';
import { shownCharacters } from './extensions/hidden-characters.ts';
import { highlight } from './extensions/highlight.ts';
import { keyMode } from './extensions/keys.ts';
import { look, ownLayout } from './extensions/look.ts';
import { mathsPreview } from './extensions/previews/maths-preview.ts';
import { referencePreview } from './extensions/previews/reference-preview.ts';
import { searchPanel } from './extensions/search-panel.ts';
import { figureNames, ownWords } from './extensions/surroundings.ts';
import { theme } from './extensions/themes.ts';
import { lineIndex } from './lines/line-index.ts';
import { spellingMode } from './spelling-mode.ts';
import { visualMode } from './visual-mode.ts';

interface SourceEditorParts {
  /** Keys of the surrounding screen, which take precedence over the editor's own. */
  keys: Extension;
  listFigures: () => readonly string[];
}

export function composeExtensions({ keys, listFigures }: SourceEditorParts): Extension {
  return [
    // before all other keys: in Vim's normal mode a letter is a command, and Emacs' Ctrl+S is a search
    keyMode,
    // before the default keys: Mod-Enter would insert a blank line
    keys,
    // before everything that queries lines, pairs or formulas
    lineIndex,
    lineNumbers(),
    lintGutter(),
    folding,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    // drawn by CodeMirror: the browser draws only one selection
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.phrases.of({ go: 'Go' }),
    rectangularSelection(),
    crosshairCursor(),
    indentUnit.of(indent),
    EditorState.languageData.of(() => [
      { commentTokens: { line: '%' }, closeBrackets: { brackets: ['{', '[', '('], before: ')]}$ \n' } },
    ]),
    bracketMatching(),
    renameEnvironment,
    // its Enter accepts a completion, so it comes before Enter in an environment
    completion,
    closeEnvironment,
    // Mod-i would select the surrounding syntax node: before the default keys
    formatting,
    searchPanel,
    highlight,
    shownCharacters,
    // after the colours, so that its frame encloses them
    matchingEnvironment,
    mathsPreview,
    referencePreview,
    figureNames.of(listFigures),
    ownWords.of(keptWords),
    spellingMode,
    EditorView.lineWrapping,
    calmScroll,
    EditorView.contentAttributes.of({ 'aria-label': 'LaTeX source', spellcheck: 'false', tabindex: '0' }),
    // Tab indents; after Escape it moves the focus (CodeMirror's own rule)
    keymap.of([...historyKeymap, ...defaultKeymap, indentWithTab]),
    look,
    ownLayout,
    // after the look, whose roles it recolours
    theme,
    // after all looks, some of which it changes
    visualMode,
  ];
}
