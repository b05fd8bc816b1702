import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { pageAddresses } from '#shared/page-addresses.ts';
import { getIdentityConfig } from '#web/lib/session/identity-config.ts';

const linkClass = 'text-ink underline decoration-edge underline-offset-4 hover:decoration-ink';

/** To the contact page; where there is none, to the support address of this installation. */
export function ContactLink({ children }: { children: ReactNode }) {
  const [email, setEmail] = useState<string | null>(null);
  useEffect(() => {
    getIdentityConfig().then(
      (config) => setEmail(config.supportEmail),
      () => undefined,
    );
  }, []);
  if (pageAddresses.includes('/contact'))
    return (
      <Link to="/contact" className={linkClass}>
        {children}
      </Link>
    );
  return email ? (
    <a href={`mailto:${email}`} className={linkClass}>
      {children}
    </a>
  ) : (
    children
  );
}
