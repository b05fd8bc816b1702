/** The keys for doubtful spots in the source, and the commands of the same names. */
import type { KeyBinding } from '@codemirror/view';
import type { EditorCommand } from '#web/ui/source-editor/editor-commands.ts';
import type { SpotsToCheck } from './use-spots.ts';

type Walk = Pick<SpotsToCheck, 'go' | 'open' | 'spots'>;

export const openKey = 'Mod-F8';

/** @param walk the spots as they are when a key is pressed */
export function spotKeys(walk: () => Walk): KeyBinding[] {
  const act = (run: (spots: Walk) => void) => () => {
    const spots = walk();
    if (spots.spots.length > 0) run(spots);
    return true;
  };
  return [
    { key: openKey, run: act(({ open }) => open()), preventDefault: true },
    { key: 'F8', run: act(({ go }) => go(1)), shift: act(({ go }) => go(-1)), preventDefault: true },
  ];
}

export function spotCommands(walk: () => Walk): EditorCommand[] {
  const act = (run: (spots: Walk) => void) => () => {
    const spots = walk();
    if (spots.spots.length > 0) run(spots);
  };
  return [
    { title: 'Check doubtful spots', keys: openKey, run: act(({ open }) => open()) },
    { title: 'Next doubtful spot', keys: 'F8', run: act(({ go }) => go(1)) },
    { title: 'Previous doubtful spot', keys: 'Shift-F8', run: act(({ go }) => go(-1)) },
  ];
}
