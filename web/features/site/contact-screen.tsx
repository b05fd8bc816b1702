import { Check, Copy, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCopy } from '#web/lib/hooks/use-copy.ts';
import { getSiteFacts } from '#web/lib/page/site-facts.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { PageLink } from './text-page.tsx';

interface Matter {
  title: string;
  /** How soon it is answered (specification, section 9). */
  answered: string;
  text: ReactNode;
}

const matters: Matter[] = [
  {
    title: 'Billing',
    answered: 'Answered within 24 hours',
    text: (
      <>
        Payments, receipts, credits that did not arrive. Give the date of the purchase and the address of your
        account. Your purchases are listed under <PageLink to="/billing_history">Billing history</PageLink>.
      </>
    ),
  },
  {
    title: 'Refunds',
    answered: 'Refunded in 5–7 business days',
    text: (
      <>
        Technical issues within 7 days, complaints about quality within 24 hours. What we need is in the{' '}
        <PageLink to="/terms#refund-policy">refund policy</PageLink>.
      </>
    ),
  },
  {
    title: 'A page that came out wrong',
    answered: 'Answered in 1–2 business days',
    text: 'Send the page as you uploaded it: your upload was deleted when it was read, so we no longer have it. Say which lines are wrong.',
  },
  {
    title: 'Your data',
    answered: 'Answered in 1–2 business days',
    text: (
      <>
        Export and deletion are in your <PageLink to="/account">account</PageLink> and take effect at once.
        Anything else about your data is in the <PageLink to="/privacy">privacy policy</PageLink>, or write to
        us.
      </>
    ),
  },
  {
    title: 'Everything else',
    answered: 'Answered in 1–2 business days',
    text: 'Questions before you buy, room for more documents, ideas, a bug. With a bug, the steps that lead to it and the name of your browser help most.',
  },
];

/** Contact is by e-mail only (specification, section 1). */
export function ContactScreen() {
  const { supportEmail } = getSiteFacts();
  return (
    <div className="mx-auto max-w-6xl px-4 pt-10 pb-16 sm:px-6 sm:pt-16 sm:pb-24">
      <header className="grid gap-4">
        <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight sm:text-5xl">
          Write to us
        </h1>
        <p className="max-w-[35.5em] text-lg leading-relaxed text-graphite">
          Inkproof is made and run by one person. Your e-mail goes straight to the founder. There is no
          telephone and no chat.
        </p>
      </header>
      <div className="mt-8 grid justify-items-start gap-5 rounded-2xl border border-hairline bg-page p-6 sm:mt-10 sm:p-8">
        <p className="max-w-full font-serif text-xl font-medium tracking-tight break-words sm:text-3xl">
          {supportEmail}
        </p>
        <div className="flex flex-wrap gap-3">
          <a href={`mailto:${supportEmail}`} className={buttonClass({ variant: 'primary' })}>
            <Mail className="size-4" aria-hidden="true" />
            Write an e-mail
          </a>
          <CopyAddress address={supportEmail} />
        </div>
      </div>
      <h2 className="mt-14 font-serif text-2xl font-medium tracking-tight sm:mt-20">
        What to write, and when to expect an answer
      </h2>
      <dl className="mt-5 border-b border-hairline">
        {matters.map(({ title, answered, text }) => (
          <div
            key={title}
            className="grid gap-x-12 gap-y-2 border-t border-hairline py-5 sm:grid-cols-[17rem_minmax(0,1fr)]"
          >
            <dt>
              <span className="block font-medium">{title}</span>
              <span className="block text-sm text-graphite">{answered}</span>
            </dt>
            <dd className="max-w-[39em] leading-relaxed text-graphite">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** For browsers without a mail program for `mailto:` links. */
function CopyAddress({ address }: { address: string }) {
  const { outcome, copy } = useCopy();
  return (
    <>
      <Button
        icon={outcome === 'copied' ? <Check className="size-4 text-green" /> : <Copy className="size-4" />}
        onClick={() => void copy(address)}
      >
        Copy the address
      </Button>
      <span className="sr-only" role="status">
        {outcome === 'copied' && 'The address is copied.'}
        {outcome === 'refused' && `Your browser blocked copying. The address is ${address}.`}
      </span>
    </>
  );
}
