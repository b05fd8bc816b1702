/**
 * The outline of our logo, in a square of 32 units: one pen stroke, an integral sign that settles into a printed
 * serif.
 */
export const markPath =
  'M25.6 5.9c.31 1.69-.2 3.3-1.7 3.8-1.3.4-2.5-.3-2.9-1.5-.4-1.2.1-2 .3-2.7.2-.8-.1-1.4-.9-1.4-1.7 0-2.7 2.6-3 7.1L16.9 24c-.2 3.3.6 4.4 4 4.7l-.1 1.6H8.4l.1-1.6c3.4-.3 4.2-1.4 4.4-4.7l.6-11.3C13.9 5.5 16.9 1.7 21.1 1.7c2.3 0 4 1.5 4.5 4.2z';
