import { expect, test } from 'vitest';
import { listTexts, readRecord } from './draw-templates.ts';

test('the pictures of the templates are current: `npm run templates:draw`', () => {
  expect(readRecord()).toEqual(listTexts());
});
