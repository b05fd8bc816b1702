/**
 * The bundles (specification, section 2). Prerendered: session and season are set on the document before the first
 * paint, and space is reserved for the currency, so that nothing moves.
 */
import { FilePen, FolderTree, Library, type LucideIcon, Search } from 'lucide-react';
import { type BundleId, bundles } from '#shared/api/bundles.ts';
import { openAuthDialog } from '#web/lib/auth-dialog.ts';
import { useCurrency } from '#web/lib/billing/country.ts';
import { buyBundle, dismissPurchaseError, usePurchase } from '#web/lib/billing/purchase.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { BundleCard } from './bundle-card.tsx';
import { SeasonBanner } from './season-banner.tsx';
import { StudentNote } from './student-note.tsx';

const included: { title: string; text: string; Icon: LucideIcon }[] = [
  { title: 'Document storage', text: 'Keep hundreds of documents.', Icon: Library },
  { title: 'Folders', text: 'Sort them by course, by week, by whatever you like.', Icon: FolderTree },
  { title: 'Full-text search', text: 'Find a document by its title or by what is in it.', Icon: Search },
  {
    title: 'LaTeX editor',
    text: 'Edit and compile next to the original ink, in the browser.',
    Icon: FilePen,
  },
];

export function PricingScreen() {
  const currency = useCurrency();
  const { error } = usePurchase();
  return (
    <div className="mx-auto max-w-6xl px-4 pt-10 pb-16 sm:px-6 sm:pt-16 sm:pb-24">
      <header className="grid gap-3">
        <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight sm:text-5xl">
          Pay once, by the page
        </h1>
        <p className="max-w-[35.5em] text-lg text-graphite">
          Bundles of pages and AI conversations. No subscription, and credits never expire. A page that could
          not be read costs nothing.
        </p>
      </header>
      <SeasonBanner />
      {error && (
        <Notice tone="error" className="mt-8" title={error} onDismiss={dismissPurchaseError}>
          Nothing was bought and nothing was charged.
        </Notice>
      )}
      <div className="mt-10 grid gap-x-5 gap-y-8 sm:mt-12 lg:grid-cols-3">
        {bundles.map((bundle) => (
          <BundleCard key={bundle.id} bundle={bundle} currency={currency}>
            <BundleButton id={bundle.id} title={bundle.title} isHighlighted={bundle.highlight} />
          </BundleCard>
        ))}
      </div>
      <StudentNote />
      <section aria-labelledby="included" className="mt-14 border-t border-hairline pt-10 sm:mt-20">
        <h2 id="included" className="font-serif text-2xl font-medium tracking-tight">
          Included in every bundle
        </h2>
        <ul className="mt-6 grid gap-x-8 gap-y-7 sm:grid-cols-2 lg:grid-cols-4">
          {included.map(({ title, text, Icon }) => (
            <li key={title} className="grid content-start gap-1">
              <Icon className="mb-2 size-5 text-graphite" strokeWidth={1.5} aria-hidden="true" />
              <h3 className="font-medium">{title}</h3>
              <p className="text-graphite">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <p className="mt-12 border-t border-hairline pt-5 text-sm text-graphite">
        Prices are in GBP or EUR: pounds in the United Kingdom, euro everywhere else.
      </p>
    </div>
  );
}

interface BundleButtonProps {
  id: BundleId;
  title: string;
  isHighlighted: boolean;
}

function BundleButton({ id, title, isHighlighted }: BundleButtonProps) {
  const { state } = useSession();
  const purchase = usePurchase();
  if (id === 'free')
    return (
      <>
        {state !== 'signed-in' && (
          <Button
            size="large"
            className="w-full signed-in:hidden"
            aria-label={`Claim: ${title}`}
            onClick={() => openAuthDialog('signup')}
          >
            Claim
          </Button>
        )}
        {state !== 'signed-out' && (
          <p className={cn('self-center text-graphite', state === 'loading' && 'hidden signed-in:block')}>
            Comes with every account.
          </p>
        )}
      </>
    );
  return (
    <Button
      variant={isHighlighted ? 'primary' : 'outline'}
      size="large"
      className="w-full"
      isBusy={purchase.bundle === id}
      disabled={purchase.bundle !== null}
      onClick={() => void buyBundle(id)}
    >
      {/* before hydration only the document knows whether somebody is signed in */}
      {state !== 'signed-in' && (
        <span className={state === 'loading' ? 'signed-in:hidden' : undefined}>Login to purchase</span>
      )}
      {state !== 'signed-out' && (
        <span className={state === 'loading' ? 'hidden signed-in:inline' : undefined}>Get it!</span>
      )}
      <span className="sr-only">: {title}</span>
    </Button>
  );
}
