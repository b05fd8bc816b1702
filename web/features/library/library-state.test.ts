import { describe, expect, test } from 'vitest';
import { type DocumentMark, type DocumentSummary, documentMarks, type Folder } from '#shared/api/library.ts';
import {
  buildTree,
  changeDocuments,
  deleteItems,
  describeItems,
  type FolderNode,
  type Library,
  listPath,
  listPlace,
  moveItems,
  refuseMove,
  restoreDocuments,
  star,
  trashDocuments,
} from './library-state.ts';

const at = '2026-03-01T10:00:00.000Z';

const noMarks = Object.fromEntries(documentMarks.map((mark) => [`${mark}_at`, null])) as Record<
  `${DocumentMark}_at`,
  null
>;

function document(id: string, given: Partial<DocumentSummary> = {}): DocumentSummary {
  return {
    id,
    title: id,
    folder_id: null,
    version: 1,
    ...noMarks,
    trashed_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    page_count: 1,
    pdf_version: 1,
    compiled_version: 1,
    thumbnail_version: 1,
    ...given,
  };
}

function folder(id: string, parentId: string | null = null): Folder {
  return { id, name: id, parent_id: parentId, created_at: at, updated_at: at, document_count: 0 };
}

/** physics > heat > sheets, and art. */
const library: Library = {
  folders: [folder('sheets', 'heat'), folder('heat', 'physics'), folder('art'), folder('physics')],
  documents: [
    document('entropy', { folder_id: 'heat' }),
    document('sheet 1', { folder_id: 'sheets' }),
    document('étude', { starred_at: at }),
    document('Lecture 10', { updated_at: '2026-02-02T00:00:00.000Z' }),
    document('lecture 2'),
  ],
  trash: [document('old', { folder_id: 'heat', trashed_at: at })],
};

const none = { documentIds: [], folderIds: [] };
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const byName = { sort: 'name', order: 'asc' } as const;

describe('what lies at a place', () => {
  test('all documents are sorted by name, numbers by value, accented letters with plain ones', () => {
    const { documents, folders } = listPlace(library, { kind: 'all' }, byName);
    expect(ids(documents)).toEqual(['entropy', 'étude', 'lecture 2', 'Lecture 10', 'sheet 1']);
    expect(folders).toEqual([]);
  });

  test('a folder has its own documents and folders; the top level has those in none', () => {
    const heat = listPlace(library, { kind: 'folder', id: 'heat' }, byName);
    expect([ids(heat.folders), ids(heat.documents)]).toEqual([['sheets'], ['entropy']]);
    const top = listPlace(library, { kind: 'folder', id: null }, byName);
    expect(ids(top.folders)).toEqual(['art', 'physics']);
    expect(ids(top.documents)).toEqual(['étude', 'lecture 2', 'Lecture 10']);
  });

  test('starred documents and the trash are separate; the newest can be first', () => {
    expect(ids(listPlace(library, { kind: 'starred' }, byName).documents)).toEqual(['étude']);
    expect(ids(listPlace(library, { kind: 'trash' }, byName).documents)).toEqual(['old']);
    const newest = listPlace(library, { kind: 'all' }, { sort: 'updated', order: 'desc' });
    expect(newest.documents[0]?.id).toBe('Lecture 10');
  });

  test('recent are those changed last, newest first whatever the order elsewhere, limited in number', () => {
    const many = Array.from({ length: 30 }, (_, day) =>
      document(`day ${day}`, { updated_at: new Date(Date.UTC(2026, 2, day + 1)).toISOString() }),
    );
    const { documents } = listPlace({ ...library, documents: many }, { kind: 'recent' }, byName);
    expect(ids(documents).slice(0, 2)).toEqual(['day 29', 'day 28']);
    expect(documents).toHaveLength(24);
  });
});

test('the tree counts what is in a folder and its subfolders', () => {
  const outline = (nodes: readonly FolderNode[]): unknown =>
    nodes.map((node) => [node.folder.id, node.documentCount, outline(node.children)]);
  expect(outline(buildTree(library))).toEqual([
    ['art', 0, []],
    ['physics', 2, [['heat', 2, [['sheets', 1, []]]]]],
  ]);
  expect(ids(listPath(library.folders, 'sheets'))).toEqual(['physics', 'heat', 'sheets']);
  expect(listPath(library.folders, 'gone')).toEqual([]);
});

test('a folder goes neither into itself nor too deep', () => {
  expect(refuseMove(library.folders, ['physics'], 'sheets')).toMatch(/into itself/);
  expect(refuseMove(library.folders, ['physics'], 'physics')).toMatch(/into itself/);
  expect(refuseMove(library.folders, ['physics'], 'art')).toBeNull();
  expect(refuseMove(library.folders, ['sheets'], null)).toBeNull();
  const deep = Array.from({ length: 8 }, (_, level) =>
    folder(`d${level}`, level === 0 ? null : `d${level - 1}`),
  );
  // three levels below the eighth make eleven
  expect(refuseMove([...library.folders, ...deep], ['physics'], 'd7')).toMatch(/10 deep/);
  expect(refuseMove([...library.folders, ...deep], ['physics'], 'd6')).toBeNull();
});

test.each([
  ['move', moveItems({ documentIds: ['étude'], folderIds: ['heat'] }, 'art')],
  ['star', changeDocuments(['entropy', 'étude'], star(true, at))],
  ['trash', trashDocuments(['entropy'], at)],
  ['restore', restoreDocuments(['old'], at)],
  ['delete for good', deleteItems({ ...none, documentIds: ['old'] }, at)],
  ['delete a folder', deleteItems({ ...none, folderIds: ['physics'] }, at)],
])('repeating it changes nothing: %s', (_, patch) => {
  const once = patch(library);
  expect(once).not.toEqual(library);
  expect(patch(once)).toEqual(once);
});

test('deleting a folder deletes its subfolders, and moves its documents to the trash, in no folder', () => {
  const { documents, folders, trash } = deleteItems({ ...none, folderIds: ['physics'] }, at)(library);
  expect(ids(folders)).toEqual(['art']);
  expect(ids(documents)).toEqual(['étude', 'Lecture 10', 'lecture 2']);
  expect(trash.map(({ id, folder_id }) => [id, folder_id])).toEqual([
    ['old', null],
    ['entropy', null],
    ['sheet 1', null],
  ]);
});

test('starring again keeps the time, and a single item is called by its name', () => {
  const starred = changeDocuments(['étude'], star(true, '2027-01-01T00:00:00.000Z'))(library);
  expect(starred.documents.find(({ id }) => id === 'étude')?.starred_at).toBe(at);
  expect(describeItems(library, { ...none, documentIds: ['old'] })).toBe('“old”');
  expect(describeItems(library, { documentIds: ['étude', 'entropy'], folderIds: ['art'] })).toBe(
    '1 folder and 2 documents',
  );
});
