import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router';
import { useCredits } from '../../lib/billing/credits.ts';
import { listAccountPlaces } from '../places.ts';
import { LogOutDialog, useLogOut } from './log-out-dialog.tsx';

const itemClass =
  'flex min-h-9 cursor-pointer items-center rounded-md px-2.5 text-sm outline-none data-highlighted:bg-wash pointer-coarse:min-h-11';

/** The user menu: the account's address, its pages, and logout. Rendered inside the header, which is a landmark. */
export function UserMenu({ userId, email }: { userId: string; email: string }) {
  const logOut = useLogOut(userId);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          aria-label="Your account"
          title={email}
          className="group grid size-10 place-items-center pointer-coarse:size-11 rounded-full"
        >
          <span className="grid size-8 place-items-center rounded-full bg-ink font-serif text-[0.9375rem] font-semibold text-paper uppercase transition-colors duration-150 group-hover:bg-ink-soft">
            {[...email][0] ?? '·'}
          </span>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 w-60 animate-appear rounded-xl border border-hairline bg-page p-1.5 shadow-[0_12px_32px_-8px_oklch(0.2_0.04_266/0.25)]"
        >
          <DropdownMenu.Label className="px-2.5 py-2">
            <span className="block text-[0.8125rem] text-graphite">Signed in as</span>
            <span className="block truncate text-sm font-medium">{email}</span>
            <Balance />
          </DropdownMenu.Label>
          <DropdownMenu.Separator className="-mx-1.5 my-1.5 h-px bg-hairline" />
          {listAccountPlaces().map((place) => (
            <DropdownMenu.Item key={place.to} asChild>
              <Link to={place.to} className={itemClass}>
                {place.label}
              </Link>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Item className={itemClass} onSelect={() => void logOut.ask()}>
            Logout
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      <LogOutDialog {...logOut} />
    </>
  );
}

/** The account's credits; the line keeps its place until they are known. */
function Balance() {
  const credits = useCredits();
  if (credits.kind === 'failed') return null;
  const known = credits.kind === 'known' ? credits.credits : null;
  return (
    <span className="mt-1 block min-h-5 text-[0.8125rem] text-graphite tabular-nums">
      {known && `${count(known.conversion, 'page')}, ${count(known.assistant, 'AI conversation')}`}
    </span>
  );
}

function count(number: number, word: string): string {
  return `${number.toLocaleString('en-GB')} ${word}${number === 1 ? '' : 's'}`;
}
