import type { ReactNode } from 'react';
import { Link } from 'react-router';

export function ContactLink({ children }: { children: ReactNode }) {
  return (
    <Link
      to="/contact"
      className="text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
    >
      {children}
    </Link>
  );
}
