/** The library: places, folders, moving, trash, bulk actions, keys, search. Every flow has its own account. */
import type { Documents, Folders } from '#shared/api/library.ts';
import { visitor } from '../support/product/accounts.ts';
import { openLibrary } from '../support/screens/library.ts';
import { listed, named, names, places, show, toast } from '../support/screens/library-page.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

test.use(visitor);

test('an empty library says what to do; folders are made, nested, renamed in place and deleted [§1 Folders; §3 Documents and folders: fields of our own; §7 Documents, folders, search, billing history: calls of our own]', async ({
  page,
}) => {
  const library = await openLibrary();
  await show(page, library);
  await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Convert your notes' })).toHaveAttribute('href', '/convert');
  const picker = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import .tex or .zip' }).click();
  expect((await picker).isMultiple()).toBe(true);
  expect(await listAxeViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Try a sample page' }).click();
  await expect(page.getByRole('tab', { name: 'LaTeX' })).toBeVisible();
  await expect(page).toHaveURL(/\/convert$/);

  await page.getByRole('banner').getByRole('link', { name: 'My documents' }).click();
  await places(page).getByRole('link', { name: 'Folders' }).click();
  await expect(page).toHaveURL(/\/documents\/folders$/);
  for (const name of ['Physics', 'Heat']) {
    await page.getByRole('main').getByRole('button', { name: 'New folder' }).last().click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await named(page, name).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
  // the second is inside the first, in the tree and above its name
  const tree = places(page).getByRole('list', { name: 'Folders' });
  await expect(tree.getByRole('link', { name: 'Heat' })).toHaveAttribute('aria-current', 'page');
  await tree.getByRole('link', { name: 'Physics' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(tree.getByRole('link', { name: 'Heat' })).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('link', { name: 'Heat' })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Parent folders' })
    .getByRole('link', { name: 'Physics' })
    .click();

  await named(page, 'Heat').focus();
  await page.keyboard.press('F2');
  await page.getByLabel('New name of Heat').fill('Thermodynamics');
  await page.keyboard.press('Enter');
  await expect(named(page, 'Thermodynamics')).toBeFocused();
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'This folder is empty' })).toBeVisible();
  await expect
    .poll(async () => (await library.call<Folders>('GET', '/folders')).folders.map(({ name }) => name))
    .toEqual(['Physics']);
});

test('the trash restores, deletes for good, and is emptied', async ({ page }) => {
  const library = await openLibrary();
  for (const title of ['One', 'Two', 'Three', 'Four']) await library.createDocument(title);
  await show(page, library);
  await named(page, 'Four').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(names(page)).toHaveCount(5);
  await page.getByRole('checkbox', { name: 'Select Four', exact: true }).check({ force: true });
  await page.getByRole('checkbox', { name: 'Select Two' }).click({ modifiers: ['Shift'], force: true });
  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(names(page)).toHaveCount(5);

  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Move to trash' }).click();
  await places(page)
    .getByRole('link', { name: /^Trash/ })
    .click();
  await expect(names(page)).toHaveCount(5);
  expect(await listAxeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Actions for One' }).click({ force: true });
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await expect(names(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Two', exact: true }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
  await expect(names(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Empty the trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await expect.poll(async () => (await listed(library)).map(({ title }) => title)).toEqual(['One']);
  await expect.poll(() => listed(library, '&trashed=true')).toEqual([]);
});

test('words and formulas are found as they are typed, and open at their line [§1 Full-text search of saved documents; §7 Documents, folders, search, billing history: calls of our own]', async ({
  page,
}) => {
  const library = await openLibrary();
  const physics = await library.createFolder('Physics');
  const entropy = await library.createDocument('Second law', {
    folder_id: physics.id,
    body: 'Heat flows.\n\nThe entropy of a closed system never falls.',
  });
  await library.createDocument('Gauss', { body: 'Here is\n\\[ \\int e^{-t^2}\\,dt = \\sqrt{\\pi} \\]' });
  await expect
    .poll(async () => (await library.call<Documents>('GET', '/search?q=entropy')).documents.length, {
      timeout: 60_000,
    })
    .toBe(1);
  await show(page, library);
  const found = page.getByRole('list', { name: 'Found documents' });
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search your documents' })).toBeFocused();
  // with a typo and an unfinished word
  await page.keyboard.type('entrpy clos', { delay: 20 });
  await expect(found.locator('mark')).toHaveText(['entropy', 'closed']);
  await expect(page.getByText(/^1 document, in \d+ ms$/)).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/documents/${entropy.id}\\?line=6$`));
  await page.goBack();
  await expect(found.locator('mark').first()).toHaveText('entropy');

  await page.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'In no folder' });
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Search everywhere' }).click();
  await expect(found.getByRole('link', { name: 'Second law' })).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(names(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Formula' }).click();
  // whatever its variable is called
  await page.keyboard.type('\\int e^{-x^2}', { delay: 10 });
  await expect(found.getByRole('link', { name: 'Gauss' })).toBeVisible();
  await expect(found.locator('mark .katex').first()).toBeVisible();
  await page.getByRole('button', { name: 'Pick symbols' }).click();
  await page.getByRole('searchbox', { name: 'Find a symbol' }).fill('square root');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('searchbox', { name: /formula/ })).toHaveValue('\\int e^{-x^2}\\sqrt{x}');
});
