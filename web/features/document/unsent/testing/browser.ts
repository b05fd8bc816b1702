/** A server that behaves like ours, a store that outlives its pages, and tabs that notify each other. */
import type { SaveResult } from '#web/lib/api/document-api.ts';
import type { KnownText, SaveAttempt, UnsavedText } from '../../saving/text-keeper.ts';
import { createSaver, type EditedText, type LeftText, type Saver, type UnsentStore } from '../saver.ts';

type Fault = 'lost on the way there' | 'lost on the way back' | 'signed out';

/** Saves as ours does, once for each save id. */
export class Server {
  version = 1;
  latex: string;
  isDown = false;
  /** What happens to the next saves. */
  faults: Fault[] = [];
  saves: SaveAttempt[] = [];
  #done = new Map<string, number>();

  constructor(latex: string) {
    this.latex = latex;
  }

  async save(save: SaveAttempt): Promise<SaveResult> {
    const fault = this.faults.shift();
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (this.isDown || fault === 'lost on the way there') return { kind: 'unreachable' };
    if (fault === 'signed out')
      return { kind: 'refused', error: { code: 'UNAUTHORIZED', error: 'Signed out.', source: 'user' } };
    this.saves.push(save);
    const result = this.#take(save);
    return fault ? { kind: 'unreachable' } : result;
  }

  #take(save: SaveAttempt): SaveResult {
    const earlier = this.#done.get(save.save_id);
    if (earlier !== undefined) return { kind: 'saved', version: earlier };
    if (save.latex === this.latex) return { kind: 'saved', version: this.version };
    if (save.base_version !== this.version)
      return { kind: 'conflict', current: { version: this.version, latex: this.latex } };
    this.version++;
    this.latex = save.latex;
    this.#done.set(save.save_id, this.version);
    return { kind: 'saved', version: this.version };
  }
}

/** One browser: its store, and its tabs. */
export class Browser {
  rows = new Map<string, UnsavedText>();
  living = new Set<string>();
  isFull = false;
  listeners = new Map<string, (saved: KnownText) => void>();
  #made = 0;

  open(server: Server): Tab {
    return new Tab(this, server, `tab ${++this.#made}`);
  }
}

export class Tab {
  shown: string;
  merges = 0;
  readonly saver: Saver;
  readonly #browser: Browser;
  readonly #id: string;
  #isDead = false;

  constructor(browser: Browser, server: Server, id: string) {
    this.#browser = browser;
    this.#id = id;
    this.shown = server.latex;
    browser.living.add(id);
    const text: EditedText = {
      get: () => this.shown,
      set: (latex) => {
        this.shown = latex;
      },
    };
    const store: UnsentStore = {
      put: async (unsent, { replaces } = {}) => {
        if (this.#isDead) return;
        if (browser.isFull) throw new Error('no space');
        browser.rows.set(id, structuredClone(unsent));
        if (replaces) browser.rows.delete(replaces);
      },
      remove: async (left) => {
        if (this.#isDead) return;
        browser.rows.delete(id);
        if (left) browser.rows.delete(left);
      },
      takeLeft: async () => {
        const left: LeftText[] = [];
        for (const [key, unsent] of browser.rows)
          if (!browser.living.has(key)) left.push({ ...structuredClone(unsent), id: key });
        for (const { id: key } of left) browser.living.add(key);
        return left;
      },
      close: () => browser.living.delete(id),
    };
    this.saver = createSaver({
      known: { version: server.version, latex: server.latex },
      text,
      store,
      send: async (save) => {
        // a closed page neither sends nor receives
        const nothing = new Promise<never>(() => {});
        if (this.#isDead) return nothing;
        const result = await server.save(save);
        return this.#isDead ? nothing : result;
      },
      load: async () => (server.isDown ? null : { version: server.version, latex: server.latex }),
      openTabs: (onSaved) => {
        browser.listeners.set(id, onSaved);
        return {
          announce: (saved) => {
            for (const [key, other] of browser.listeners) if (key !== id) other(saved);
          },
          close: () => browser.listeners.delete(id),
        };
      },
      onMerged: () => {
        this.merges++;
      },
    });
  }

  type(find: string, put: string): void {
    if (!this.shown.includes(find)) throw new Error(`“${find}” is not shown`);
    this.shown = this.shown.replace(find, put);
    this.saver.edited();
  }

  get status() {
    return this.saver.getState().status;
  }

  /** The page ends without notice. */
  crash(): void {
    this.#isDead = true;
    this.#browser.living.delete(this.#id);
    this.#browser.listeners.delete(this.#id);
  }
}
