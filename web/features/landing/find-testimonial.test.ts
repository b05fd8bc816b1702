import { expect, test } from 'vitest';
import { findTestimonial } from './find-testimonial.ts';

test('no file, no testimonial', () => {
  expect(findTestimonial({})).toBeNull();
});

test('a file with a quote and a name is shown, with or without a role', () => {
  const file = { quote: 'It read my limits.', name: 'A reader' };
  expect(findTestimonial({ '/content/testimonial.json': file })).toEqual({ ...file, role: '' });
  expect(findTestimonial({ '/content/testimonial.json': { ...file, role: 'teacher' } })?.role).toBe(
    'teacher',
  );
});

test('half a testimonial ends the build', () => {
  for (const file of [{ quote: 'It read my limits.' }, { quote: ' ', name: 'A reader' }, 'text', null])
    expect(() => findTestimonial({ '/content/testimonial.json': file })).toThrow('needs a quote and a name');
});
