/**
 * Actions on documents and folders. Each is shown at once while the server is called; if the server refuses, it is
 * reverted with a message. Afterwards the library is reloaded, here and in the user's other tabs.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { ErrorObject } from '#shared/api/errors.ts';
import { type BulkAction, type BulkOutcome, maxFolderDepth, trashDays } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { duplicateDocument, updateDocument } from '#web/lib/api/document-api.ts';
import { actInBulk, createFolder, updateFolder } from '#web/lib/api/library-api.ts';
import {
  addDocument,
  addFolder,
  changeDocuments,
  countItems,
  deleteItems,
  describeItems,
  type Items,
  type Library,
  moveItems,
  noItems,
  type Patch,
  renameItem,
  restoreDocuments,
  star,
  trashDocuments,
} from './library-state.ts';
import type { PendingPatches } from './pending-patches.ts';
import type { ToastStore } from './toast-store.ts';

export interface LibraryActions {
  move(items: Items, folderId: string | null): Promise<void>;
  star(ids: readonly string[], isStarred: boolean): Promise<void>;
  trash(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /** Deletes documents in the trash for good, and folders with their content. */
  delete(items: Items): Promise<void>;
  rename(items: Items, name: string): Promise<void>;
  duplicate(id: string): Promise<void>;
  /** @returns the folder's id, or why it was not created */
  createFolder(
    name: string,
    parentId: string | null,
  ): Promise<{ ok: true; id: string } | { ok: false; text: string }>;
}

interface Deps {
  queries: QueryClient;
  queryKey: readonly unknown[];
  pending: PendingPatches;
  toasts: ToastStore;
  /** The library as shown now. */
  getLibrary: () => Library | null;
  /** Notifies the user's other tabs. */
  announce: () => void;
}

interface BulkTask {
  action: BulkAction['action'];
  items: Items;
  folderId?: string | null;
  patchFor: (items: Items) => Patch;
}

export function createLibraryActions(deps: Deps): LibraryActions {
  const { queries, queryKey, pending, toasts, announce } = deps;
  let underWay = 0;

  const now = () => new Date().toISOString();
  const nameOf = (items: Items) => {
    const library = deps.getLibrary();
    return library ? describeItems(library, items) : '';
  };

  /** Shows the patch while `call` runs, then keeps its outcome. */
  async function carryOut<T>(
    patch: Patch,
    call: () => Promise<T>,
    keep: (result: T) => Patch | null,
  ): Promise<T> {
    const drop = pending.add(patch);
    underWay++;
    const result = await call();
    // a query that began before the server acted must not bring the old state back
    await queries.cancelQueries({ queryKey });
    const succeeded = keep(result);
    if (succeeded) queries.setQueryData<Library>(queryKey, (library) => library && succeeded(library));
    drop();
    underWay--;
    announce();
    if (underWay === 0) void queries.invalidateQueries({ queryKey });
    return result;
  }

  /** @returns the items for which it succeeded */
  async function actOn({ action, items, folderId, patchFor }: BulkTask): Promise<Items> {
    if (countItems(items) === 0) return noItems;
    let done = noItems;
    const { outcomes, refused } = await carryOut(
      patchFor(items),
      () => actInBulk(action, items, folderId),
      (answer) => {
        const succeeded = answer.outcomes.filter(({ outcome }) => outcome === 'done');
        done = {
          documentIds: succeeded.filter(({ kind }) => kind === 'document').map(({ id }) => id),
          folderIds: succeeded.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
        };
        return countItems(done) > 0 ? patchFor(done) : null;
      },
    );
    const failed = outcomes.filter(({ outcome }) => outcome !== 'done');
    if (refused) await say(refused.error);
    else if (failed.length > 0)
      toasts.show(describeFailures(failed.map(({ outcome }) => outcome)), { tone: 'error' });
    return done;
  }

  function say(error: ErrorObject): void {
    toasts.show(`${describeError(error)} Nothing was changed.`, { tone: 'error' });
  }

  async function move(items: Items, folderId: string | null): Promise<void> {
    const library = deps.getLibrary();
    if (!library) return;
    const label = describeItems(library, items);
    // where each came from, for undo
    const origins = new Map<string | null, { documentIds: string[]; folderIds: string[] }>();
    const from = (id: string | null) => {
      const known = origins.get(id) ?? { documentIds: [], folderIds: [] };
      origins.set(id, known);
      return known;
    };
    for (const { id, folder_id } of library.documents)
      if (items.documentIds.includes(id) && folder_id !== folderId) from(folder_id).documentIds.push(id);
    for (const { id, parent_id } of library.folders)
      if (items.folderIds.includes(id) && parent_id !== folderId) from(parent_id).folderIds.push(id);
    const moving: Items = {
      documentIds: [...origins.values()].flatMap(({ documentIds }) => documentIds),
      folderIds: [...origins.values()].flatMap(({ folderIds }) => folderIds),
    };
    const target = library.folders.find(({ id }) => id === folderId)?.name;
    const place = target === undefined ? 'out of all folders' : `to “${target}”`;
    if (countItems(moving) === 0) {
      toasts.show(`${label} ${countItems(items) === 1 ? 'is' : 'are'} already there.`);
      return;
    }
    const patchFor = (some: Items) => moveItems(some, folderId);
    toasts.dismiss();
    const done = await actOn({ action: 'move', items: moving, folderId, patchFor });
    if (countItems(done) < countItems(moving)) return;
    toasts.show(`${label} moved ${place}.`, {
      action: {
        label: 'Undo',
        run: async () => {
          for (const [origin, some] of origins)
            await actOn({
              action: 'move',
              items: some,
              folderId: origin,
              patchFor: (back) => moveItems(back, origin),
            });
        },
      },
    });
  }

  async function restore(ids: readonly string[]): Promise<void> {
    const items = { documentIds: ids, folderIds: [] };
    const label = nameOf(items);
    const at = now();
    const patchFor = ({ documentIds }: Items) => restoreDocuments(documentIds, at);
    toasts.dismiss();
    const done = await actOn({ action: 'restore', items, patchFor });
    if (countItems(done) === ids.length) toasts.show(`${label} ${ids.length === 1 ? 'is' : 'are'} restored.`);
  }

  return {
    move,
    restore,
    async star(ids, isStarred) {
      const at = now();
      await actOn({
        action: isStarred ? 'star' : 'unstar',
        items: { documentIds: ids, folderIds: [] },
        patchFor: ({ documentIds }) => changeDocuments(documentIds, star(isStarred, at)),
      });
    },
    async trash(ids) {
      const items = { documentIds: ids, folderIds: [] };
      const label = nameOf(items);
      const at = now();
      toasts.dismiss();
      const patchFor = ({ documentIds }: Items) => trashDocuments(documentIds, at);
      const done = await actOn({ action: 'trash', items, patchFor });
      if (countItems(done) < ids.length) return;
      toasts.show(`${label} moved to the trash, for ${trashDays} days.`, {
        action: { label: 'Undo', run: () => void restore(ids) },
      });
    },
    async delete(items) {
      const label = nameOf(items);
      const at = now();
      toasts.dismiss();
      const done = await actOn({ action: 'delete', items, patchFor: (some) => deleteItems(some, at) });
      if (countItems(done) === countItems(items))
        toasts.show(`${label} ${countItems(items) === 1 ? 'is' : 'are'} deleted.`);
    },
    async rename(items, name) {
      const [documentId] = items.documentIds;
      const [folderId] = items.folderIds;
      const patch = renameItem(items, name, now());
      const answer = await carryOut(
        patch,
        async () =>
          documentId === undefined
            ? updateFolder(folderId ?? '', { name })
            : updateDocument(documentId, { title: name }),
        ({ ok }) => (ok ? patch : null),
      );
      if (!answer.ok) await say(answer.error);
    },
    async duplicate(id) {
      toasts.show('Duplicating.');
      const answer = await carryOut(
        (library) => library,
        () => duplicateDocument(id),
        (made) => (made.ok ? addDocument(made.data) : null),
      );
      if (answer.ok) toasts.show(`“${answer.data.title}” has been created.`);
      else await say(answer.error);
    },
    async createFolder(name, parentId) {
      const answer = await carryOut(
        (library) => library,
        () => createFolder(name, parentId),
        (made) => (made.ok ? addFolder(made.data) : null),
      );
      return answer.ok ? { ok: true, id: answer.data.id } : { ok: false, text: describeError(answer.error) };
    },
  };
}

function describeFailures(outcomes: readonly BulkOutcome[]): string {
  const count = outcomes.length;
  const subject = count === 1 ? 'One of them' : `${count.toLocaleString('en-GB')} of them`;
  const reasons: Record<BulkOutcome, string> = {
    done: '',
    not_found: `${subject} ${count === 1 ? 'is' : 'are'} no longer there.`,
    not_applicable: `${subject} could not be changed: ${count === 1 ? 'it was' : 'they were'} changed elsewhere in the meantime.`,
    limit_exceeded: `${subject} stayed in the trash: you have reached your document limit.`,
    into_itself: `${subject} could not be moved: a folder cannot be moved into itself.`,
    too_deep: `${subject} could not be moved: folders can be nested at most ${maxFolderDepth} deep.`,
  };
  return reasons[outcomes[0] ?? 'done'];
}
