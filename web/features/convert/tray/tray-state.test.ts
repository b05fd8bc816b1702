import { describe, expect, it } from 'vitest';
import { planUpload } from './plan-upload.ts';
import {
  emptyTray,
  rangeOf,
  reduceTray,
  type TrayAction,
  type TraySource,
  type TrayState,
} from './tray-state.ts';

function source(id: string, kind: TraySource['kind'] = 'pdf'): TraySource {
  return { id, kind, state: 'opening', pageCount: 1, file: new File(['x'], `${id}.${kind}`) };
}
function run(actions: TrayAction[], from: TrayState = emptyTray): TrayState {
  return actions.reduce(reduceTray, from);
}
const places = (state: TrayState) => state.items.map((item) => item.id);

const notes = run([
  { type: 'sourcesAdded', sources: [source('notes')] },
  { type: 'sourceOpened', sourceId: 'notes', pageCount: 4 },
]);
const mixed = run(
  [
    { type: 'sourcesAdded', sources: [source('photo', 'image')] },
    { type: 'sourceOpened', sourceId: 'photo', pageCount: 1 },
  ],
  notes,
);

describe('the tray', () => {
  it('expands a PDF into its pages in place and selects the first page added', () => {
    expect(places(notes)).toEqual(['notes/0', 'notes/1', 'notes/2', 'notes/3']);
    expect(notes.selectedId).toBe('notes/0');
    expect(places(mixed).at(-1)).toBe('photo/0');
  });

  it('moves, rotates through 360 degrees, removes and undoes the removal', () => {
    const moved = run([{ type: 'itemMoved', itemId: 'notes/3', toIndex: 0 }], notes);
    expect(places(moved)).toEqual(['notes/3', 'notes/0', 'notes/1', 'notes/2']);
    const turned = run(Array(4).fill({ type: 'itemTurned', itemId: 'notes/3', by: 90 }), moved);
    expect(turned).toEqual(moved);
    const removed = run([{ type: 'itemRemoved', itemId: 'notes/0' }], moved);
    expect(places(removed)).toEqual(['notes/3', 'notes/1', 'notes/2']);
    // the selected page was removed: its neighbour is shown
    expect(removed.selectedId).toBe('notes/1');
    expect(removed.removed?.label).toBe('Page 2 removed.');
    expect(places(run([{ type: 'removalUndone' }], removed))).toEqual(places(moved));
  });

  it('gives back the last page of a file with its file', () => {
    const removed = run([{ type: 'itemRemoved', itemId: 'photo/0' }], mixed);
    const undone = run([{ type: 'removalUndone' }], removed);
    expect(planUpload(undone)).toEqual(planUpload(mixed));
    // after another action it is removed for good
    const later = run([{ type: 'itemRemoved', itemId: 'notes/0' }], removed);
    expect(later.sources.map((known) => known.id)).toContain('notes');
  });

  it('a range keeps what is in the tray, adds missing pages in place, and leaves other files alone', () => {
    const some = run(
      [
        { type: 'itemRemoved', itemId: 'notes/1' },
        { type: 'rangeChosen', sourceId: 'notes', startPage: 1, endPage: 3 },
      ],
      mixed,
    );
    expect(places(some)).toEqual(['notes/0', 'notes/1', 'notes/2', 'photo/0']);
    expect(rangeOf(some, 'notes')).toEqual({ startPage: 1, endPage: 3 });
  });
});

describe('what is sent', () => {
  it('the original with its range, if nothing else was changed', () => {
    expect(planUpload(notes)).toEqual({
      parts: [{ kind: 'original', sourceId: 'notes' }],
      startPage: 1,
      endPage: null,
      pageCount: 4,
    });
    const ranged = run([{ type: 'rangeChosen', sourceId: 'notes', startPage: 2, endPage: 3 }], notes);
    expect(planUpload(ranged)).toMatchObject({ startPage: 2, endPage: 3, pageCount: 2 });
    const toTheEnd = run([{ type: 'rangeChosen', sourceId: 'notes', startPage: 3, endPage: 4 }], notes);
    expect(planUpload(toTheEnd)).toMatchObject({ startPage: 3, endPage: null });
  });

  it('a filtered PDF, if a page was left out of the middle, moved or rotated', () => {
    const dropped = run([{ type: 'itemRemoved', itemId: 'notes/1' }], notes);
    expect(planUpload(dropped)).toMatchObject({
      parts: [{ kind: 'pdf-pages', pages: [{ pageIndex: 0 }, { pageIndex: 2 }, { pageIndex: 3 }] }],
      startPage: 1,
      endPage: null,
    });
    const turned = run([{ type: 'itemTurned', itemId: 'notes/2', by: -90 }], notes);
    expect(planUpload(turned).parts).toMatchObject([
      { kind: 'pdf-pages', pages: [{}, {}, { pageIndex: 2, rotation: 270 }, {}] },
    ]);
  });

  it('several files in tray order, whole ones unchanged', () => {
    expect(planUpload(mixed).parts).toEqual([
      { kind: 'original', sourceId: 'notes' },
      { kind: 'original', sourceId: 'photo' },
    ]);
    const between = run(
      [
        { type: 'itemMoved', itemId: 'photo/0', toIndex: 2 },
        { type: 'itemTurned', itemId: 'photo/0', by: 90 },
      ],
      mixed,
    );
    expect(planUpload(between).parts).toEqual([
      {
        kind: 'pdf-pages',
        sourceId: 'notes',
        pages: [
          { pageIndex: 0, rotation: 0 },
          { pageIndex: 1, rotation: 0 },
        ],
      },
      { kind: 'turned-image', sourceId: 'photo', rotation: 90 },
      {
        kind: 'pdf-pages',
        sourceId: 'notes',
        pages: [
          { pageIndex: 2, rotation: 0 },
          { pageIndex: 3, rotation: 0 },
        ],
      },
    ]);
  });

  it('a file that cannot be opened here is sent unchanged, so that the server can say why', () => {
    const sealed = run([
      { type: 'sourcesAdded', sources: [source('locked')] },
      { type: 'sourceSealed', sourceId: 'locked', note: 'Password-protected.' },
    ]);
    expect(planUpload(sealed)).toMatchObject({
      parts: [{ kind: 'original', sourceId: 'locked' }],
      pageCount: null,
    });
  });
});
