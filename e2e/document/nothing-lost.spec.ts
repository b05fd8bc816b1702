// Nothing that was written is lost: not with two tabs, a dead network, a crashed tab, or another writer on the
// same line.
import type { Page } from '@playwright/test';
import { runsWhole } from '../../test-support/matrix.ts';
import { goToLine, open, readUnsent, saveLine, start, startWriter } from '../support/screens/writer.ts';
import { editor, expect, expectGoodLooks, test } from '../support/test.ts';

// two writers that are occasionally refused, and requests failed on purpose
test.use({ allowRefusals: true });

/** Kills the renderer's process, so that none of the page's code can run. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // it never answers
  session.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}

/** Edits per tab. */
const editCount = runsWhole(import.meta.filename) ? 200 : 30;

test('two tabs editing in turn lose nothing', async ({ browser }) => {
  test.setTimeout(400_000);
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  // nothing is compiled here: that would be a page for each edit
  await writer.context.routeWebSocket(/./, (socket) => socket.close());
  const tabs = [await open(writer.context, id), await open(writer.context, id)] as const;
  const names = ['left', 'right'] as const;
  await goToLine(tabs[0], 'Left part.');
  await goToLine(tabs[1], 'Right part.');
  for (let edit = 0; edit < editCount; edit++)
    for (const side of [0, 1] as const) {
      await tabs[side].keyboard.insertText(`\n${names[side]} ${edit}`);
    }
  const expected = start
    .replace('Left part.', ['Left part.', ...list('left')].join('\n'))
    .replace('Right part.', ['Right part.', ...list('right')].join('\n'));
  await expect.poll(async () => (await writer.read(id)).latex, { timeout: 60_000 }).toBe(expected);
  for (const tab of tabs) {
    await expect(saveLine(tab, 'Saved')).toBeVisible();
    await expect.poll(() => tab.evaluate(readUnsent)).toEqual([]);
  }
  // a tab shows what the other wrote, without a reload
  await tabs[0].keyboard.press('Control+End');
  await expect(editor(tabs[0])).toContainText(`right ${editCount - 1}`);
  await tabs[1].keyboard.press('Control+Home');
  await expect(editor(tabs[1])).toContainText('left 0');
  await writer.context.close();
});

function list(name: string): string[] {
  return Array.from({ length: editCount }, (_, edit) => `${name} ${edit}`);
}

test('text written without a connection outlives the tab, and is saved when the document is opened again', async ({
  browser,
}) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  await writer.context.setOffline(true);
  await goToLine(page, 'Left part.');
  await page.keyboard.type(' Written on a train.');
  await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
  // the last words are not even sent
  await page.keyboard.type(' In a tunnel.');
  await expect.poll(async () => (await page.evaluate(readUnsent)).join()).toContain('In a tunnel.');
  await crash(page);
  await writer.context.setOffline(false);
  expect((await writer.read(id)).latex).toBe(start);

  const again = await open(writer.context, id);
  await expect(editor(again)).toContainText('Left part. Written on a train. In a tunnel.');
  await expect(saveLine(again, 'Saved')).toBeVisible();
  expect((await writer.read(id)).latex).toBe(
    start.replace('Left part.', 'Left part. Written on a train. In a tunnel.'),
  );
  await expect.poll(() => again.evaluate(readUnsent)).toEqual([]);
  await writer.context.close();
});

test('what an earlier release left in the browser is found too', async ({ browser }) => {
  const writer = await startWriter(browser);
  const { id, version } = await writer.keep();
  const before = await writer.context.newPage();
  await before.goto('/terms');
  await before.evaluate(leaveAsBefore, { documentId: id, version, latex: start });
  await before.close();
  const page = await open(writer.context, id);
  await expect(editor(page)).toContainText('Left part. From an earlier release.');
  await expect(saveLine(page, 'Saved')).toBeVisible();
  await expect.poll(() => page.evaluate(readUnsent)).toEqual([]);
  expect((await writer.read(id)).latex).toContain('Left part. From an earlier release.');
  await writer.context.close();
});

/** In a page: stores a text like the first version of the database, whole and with its base. */
async function leaveAsBefore(options: { documentId: string; version: number; latex: string }): Promise<void> {
  const { user } = JSON.parse(localStorage.getItem('inkproof-auth')!);
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('inkproof-unsent', 1);
    request.onerror = () => reject(request.error);
    request.onupgradeneeded = () => {
      const texts = request.result.createObjectStore('texts', { keyPath: 'id' });
      texts.createIndex('user', 'userId');
      texts.createIndex('document', ['userId', 'documentId']);
      const { documentId, version, latex } = options;
      texts.put({
        id: 'left',
        userId: user.id,
        documentId,
        title: 'Lecture notes',
        changedAt: Date.now(),
        unsent: {
          latex: latex.replace('Left part.', 'Left part. From an earlier release.'),
          base: { version, latex },
          attempt: null,
        },
      });
    };
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
}

test('a tab that is closed right after the last key leaves nothing behind', async ({ browser }) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  await goToLine(page, 'Left part.');
  await page.keyboard.type(' Last words.');
  await page.close({ runBeforeUnload: true });
  const again = await open(writer.context, id);
  await expect(editor(again)).toContainText('Last words.');
  await expect(saveLine(again, 'Saved')).toBeVisible();
  await expect.poll(async () => (await writer.read(id)).latex).toContain('Left part. Last words.');
  await writer.context.close();
});

test.describe('two people on the same line', () => {
  test('both versions are shown, and the words of both survive', async ({ browser }) => {
    const writer = await startWriter(browser);
    const { id } = await writer.keep();
    const page = await open(writer.context, id);
    await writer.context.setOffline(true);
    await goToLine(page, 'The middle');
    await page.keyboard.type(' Mine.');
    await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
    const theirs = start.replace('The middle stays as it is.', 'The middle was changed. Theirs.');
    await writer.call('PUT', `/documents/${id}/latex`, { base_version: 1, latex: theirs });
    await page.setViewportSize({ width: 390, height: 800 });
    await writer.context.setOffline(false);

    const screen = page.getByRole('dialog', { name: 'Changed in two places at once' });
    await expect(screen.getByRole('heading', { name: 'Conflict 1 of 1' })).toBeInViewport();
    await expect(screen.getByRole('button', { name: 'Save the result' })).toBeDisabled();
    expect((await writer.read(id)).latex).toBe(theirs);
    await expectGoodLooks(page);

    // postponed: nothing is lost, and the question comes again
    await screen.getByRole('button', { name: 'Decide later' }).click();
    await expect(saveLine(page, 'Changed in two places')).toBeVisible();
    await page.reload();
    const found = page.getByRole('dialog', { name: 'Changes from this device were not saved yet' });
    await expect(found).toBeVisible();
    expect((await writer.read(id)).latex).toBe(theirs);

    await found.getByRole('radio', { name: 'Keep both' }).click();
    await expect(found.getByText('1 of 1 chosen')).toBeVisible();
    await found.getByRole('textbox', { name: 'Result' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('% both\n');
    await found.getByRole('button', { name: 'Save the result' }).click();
    await expect(found).toBeHidden();
    await expect(saveLine(page, 'Saved')).toBeVisible();
    const { latex } = await writer.read(id);
    expect(latex).toBe(
      `% both\n${start.replace(
        'The middle stays as it is.',
        'The middle stays as it is. Mine.\nThe middle was changed. Theirs.',
      )}`,
    );
    await expect(editor(page)).toContainText('% both');
    await expect.poll(() => page.evaluate(readUnsent)).toEqual([]);
    await writer.context.close();
  });
});
