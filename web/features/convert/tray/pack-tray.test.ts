import { expect, test } from 'vitest';
import { packTray, unpackItems } from './pack-tray.ts';
import { emptyTray, reduceTray, type TraySource, type TrayState } from './tray-state.ts';

function source(id: string, pageCount: number): TraySource {
  return { id, file: new File([id], `${id}.pdf`), kind: 'pdf', state: 'open', pageCount };
}

test('a stored tray is restored: order, rotations, and the pages left out', () => {
  const tray: TrayState = {
    ...emptyTray,
    sources: [source('s1', 3), source('s2', 1), source('s3', 1)],
    items: [
      { id: 's3/0', sourceId: 's3', pageIndex: 0, rotation: 90 },
      { id: 's1/2', sourceId: 's1', pageIndex: 2, rotation: 0 },
      { id: 's1/0', sourceId: 's1', pageIndex: 0, rotation: 270 },
    ],
  };
  const packed = packTray(tray);
  // nothing uses s2 any more
  expect(packed.files.map((file) => file.name)).toEqual(['s1.pdf', 's3.pdf']);

  const opening = packed.files.map((file, index): TraySource => {
    return { id: `n${index}`, file, kind: 'pdf', state: 'opening', pageCount: 1 };
  });
  let restored = reduceTray(emptyTray, {
    type: 'restored',
    sources: opening,
    items: unpackItems(packed, opening),
  });
  restored = reduceTray(restored, { type: 'sourceReopened', sourceId: 'n0', pageCount: 3 });
  expect(restored.items.map(({ id, rotation }) => [id, rotation])).toEqual([
    ['n1/0', 90],
    ['n0/2', 0],
    ['n0/0', 270],
  ]);
  expect(restored.sources[0]).toMatchObject({ state: 'open', pageCount: 3 });
  expect(restored.selectedId).toBe('n1/0');
});
