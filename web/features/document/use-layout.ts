/** Which panes are visible: side by side, or one at a time on small screens. Remembered in this browser. */
import { useCallback, useMemo, useState } from 'react';
import type { PaneId } from './top-bar/layout-switch.tsx';

export interface Layout {
  panes: readonly PaneId[];
  /** The pane shown when there is room for only one. */
  active: PaneId;
  isOpen: (pane: PaneId) => boolean;
  toggle: (pane: PaneId) => void;
  /** Shows a pane, whatever room there is. */
  show: (pane: PaneId) => void;
}

const storageKey = 'inkproof.closed-panes';

export function useLayout(panes: readonly PaneId[]): Layout {
  const [active, setActive] = useState<PaneId>('source');
  const [closed, setClosed] = useState<readonly string[]>(readClosed);
  const keep = useCallback((next: readonly string[]) => {
    setClosed(next);
    try {
      localStorage.setItem(storageKey, JSON.stringify(next));
    } catch {
      // storage is blocked: it lasts as long as the page
    }
  }, []);
  const key = panes.join(' ');
  return useMemo((): Layout => {
    const all = key.split(' ') as PaneId[];
    const open = all.filter((pane) => !closed.includes(pane));
    // all existing panes were closed when the user had more of them
    const isOpen = (pane: PaneId) => (open.length === 0 ? all.includes(pane) : open.includes(pane));
    return {
      panes: all,
      active: all.includes(active) ? active : 'source',
      isOpen,
      toggle: (pane) => {
        const others = all.filter((other) => other !== pane && isOpen(other));
        if (!isOpen(pane)) keep(closed.filter((other) => other !== pane));
        else if (others.length > 0) keep([...closed, pane]);
      },
      show: (pane) => {
        setActive(pane);
        if (!isOpen(pane)) keep(closed.filter((other) => other !== pane));
      },
    };
  }, [key, active, closed, keep]);
}

function readClosed(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((pane) => typeof pane === 'string') : [];
  } catch {
    return [];
  }
}
