/** Our mark: one pen stroke, an integral sign at the top that settles into a printed serif. One colour, from 16 px. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="currentColor">
      <path d={markPath} />
    </svg>
  );
}

export const markPath =
  'M25.6 5.9c.5 1.7-.2 3.3-1.7 3.8-1.3.4-2.5-.3-2.9-1.5-.4-1.2.1-2 .3-2.7.2-.8-.1-1.4-.9-1.4-1.7 0-2.7 2.6-3 7.1L16.9 24c-.2 3.3.6 4.4 4 4.7l-.1 1.6H8.400l.1-1.6c3.400-.300 4.200-1.400 4.400-4.700l.6-11.300C13.900 5.500 16.900 1.700 21.100 1.700c2.300 0 4 1.500 4.500 4.200z';
