import { Link } from 'react-router';
import { Mark } from '../mark.tsx';

/** Logo and name, linking to the front page. */
export function HomeLink() {
  return (
    <Link
      to="/"
      className="flex min-h-10 items-center gap-2 rounded-md pr-2 pointer-coarse:min-h-11"
      aria-label="Inkproof, home"
    >
      <Mark className="size-6" />
      <span className="font-serif text-xl font-semibold tracking-tight">Inkproof</span>
    </Link>
  );
}
