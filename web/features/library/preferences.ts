/** The user's view settings in this browser: grid or list, order, and open folders. */
import type { Sorting } from './library-state.ts';

export interface Preferences extends Sorting {
  view: 'grid' | 'list';
  /** Ids of the folders expanded in the side bar. */
  openFolders: readonly string[];
}

const storageKey = 'inkproof.library';
const defaults: Preferences = { view: 'grid', sort: 'name', order: 'asc', openFolders: [] };

export function readPreferences(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return defaults;
    const { view, sort, order, openFolders } = stored as Record<string, unknown>;
    return {
      view: view === 'list' ? 'list' : 'grid',
      sort: sort === 'updated' || sort === 'created' ? sort : 'name',
      order: order === 'desc' ? 'desc' : 'asc',
      openFolders: Array.isArray(openFolders) ? openFolders.filter((id) => typeof id === 'string') : [],
    };
  } catch {
    return defaults;
  }
}

export function writePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(preferences));
  } catch {
    // storage may be blocked; the choice then lasts as long as the page
  }
}
