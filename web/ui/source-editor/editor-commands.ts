/** The command palette's commands, with their keyboard shortcuts. */
import { redo, selectLine, undo } from '@codemirror/commands';
import { foldAll, unfoldAll } from '@codemirror/language';
import { gotoLine, selectNextOccurrence, selectSelectionMatches } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { changeSettings, getSettings } from './editor-settings.ts';
import { openFind, openReplace } from './extensions/search-panel.ts';
import { type EditorTheme, textSizes, themeNames } from './extensions/themes.ts';
import { formats } from './formats.ts';
import { type SpellingLanguage, spellingLanguages } from './spelling/languages.ts';

export interface EditorCommand {
  title: string;
  /** In CodeMirror's notation: `Mod-b`. */
  keys?: string;
  /** Where the sheet of shortcuts lists it; without one, with the surrounding screen's. */
  group?: 'format' | 'find' | 'edit';
  /** Already selected. */
  isOn?: boolean;
  run: (view: EditorView) => unknown;
}

const names: Record<keyof typeof formats, [title: string, keys?: string]> = {
  bold: ['Bold', 'Mod-b'],
  italic: ['Italic', 'Mod-i'],
  emphasis: ['Emphasis'],
  underline: ['Underline'],
  typewriter: ['Typewriter'],
  math: ['Inline formula', 'Mod-m'],
  displayMath: ['Display formula', 'Shift-Mod-m'],
  formula: ['Edit the formula visually', 'Mod-Alt-m'],
  pad: ['Write by hand', 'Mod-Alt-p'],
  equation: ['Numbered formula'],
  section: ['Section heading', 'Mod-Alt-1'],
  subsection: ['Subsection heading', 'Mod-Alt-2'],
  subsubsection: ['Subsubsection heading', 'Mod-Alt-3'],
  bullets: ['Bulleted list'],
  numbers: ['Numbered list'],
  link: ['Link'],
  comment: ['Toggle comment', 'Mod-/'],
};

export function listCommands(): EditorCommand[] {
  const { keys, theme, size, spelling } = getSettings();
  const isMac = navigator.platform.startsWith('Mac');
  return [
    ...(Object.keys(names) as (keyof typeof formats)[]).map((id) => ({
      title: names[id][0],
      keys: names[id][1],
      group: id === 'comment' ? ('edit' as const) : ('format' as const),
      run: formats[id],
    })),
    { title: 'Find', keys: 'Mod-f', group: 'find', run: openFind },
    { title: 'Find and replace', keys: isMac ? 'Mod-Alt-f' : 'Ctrl-h', group: 'find', run: openReplace },
    { title: 'Go to line', keys: 'Mod-Alt-g', group: 'find', run: gotoLine },
    { title: 'Undo', keys: 'Mod-z', group: 'edit', run: undo },
    { title: 'Redo', keys: isMac ? 'Shift-Mod-z' : 'Mod-y', group: 'edit', run: redo },
    { title: 'Select line', keys: 'Alt-l', group: 'edit', run: selectLine },
    { title: 'Add a cursor at the next occurrence', keys: 'Mod-d', group: 'edit', run: selectNextOccurrence },
    {
      title: 'Add cursors at all occurrences',
      keys: 'Shift-Mod-l',
      group: 'edit',
      run: selectSelectionMatches,
    },
    { title: 'Fold all', keys: 'Ctrl-Alt-[', group: 'edit', run: foldAll },
    { title: 'Unfold all', keys: 'Ctrl-Alt-]', group: 'edit', run: unfoldAll },
    ...(['standard', 'vim', 'emacs'] as const).map((mode) => ({
      title: `Keys: ${{ standard: 'standard', vim: 'Vim', emacs: 'Emacs' }[mode]}`,
      isOn: keys === mode,
      run: () => changeSettings({ keys: mode }),
    })),
    ...(Object.keys(themeNames) as EditorTheme[]).map((name) => ({
      title: `Look: ${themeNames[name]}`,
      isOn: theme === name,
      run: () => changeSettings({ theme: name }),
    })),
    ...textSizes.map((name) => ({
      title: `Text: ${name}`,
      isOn: size === name,
      run: () => changeSettings({ size: name }),
    })),
    { title: 'Spelling: off', isOn: spelling === null, run: () => changeSettings({ spelling: null }) },
    ...(Object.keys(spellingLanguages) as SpellingLanguage[]).map((language) => ({
      title: `Spelling: ${spellingLanguages[language].name}`,
      isOn: spelling === language,
      run: () => changeSettings({ spelling: language }),
    })),
  ];
}

/** Every word of the query must occur in the title, in any order; titles that begin with it come first. */
export function findCommands(commands: readonly EditorCommand[], query: string): EditorCommand[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ title }: EditorCommand) => (title.toLowerCase().startsWith(query.toLowerCase()) ? 0 : 1);
  return commands
    .filter(({ title }) => wanted.every((word) => title.toLowerCase().includes(word)))
    .sort((a, b) => begins(a) - begins(b));
}
