/** The terms (specification, sections 1 and 9). They include the refund policy, with its own anchor. */
import { bundles, studentCode } from '#shared/api/bundles.ts';
import { lastChanged } from './last-changed.ts';
import { OnlyIf } from './only-if.tsx';
import { PageLink, SupportEmail, TextPage, TextSection } from './text-page.tsx';

const sections = [
  { id: 'who', title: 'Who we are' },
  { id: 'account', title: 'Your account' },
  { id: 'service', title: 'What Inkproof does' },
  { id: 'content', title: 'Your notes are yours' },
  { id: 'fair-use', title: 'Fair use' },
  { id: 'credits', title: 'Credits and prices' },
  { id: 'refund-policy', title: 'Refund policy' },
  { id: 'support', title: 'Support' },
  { id: 'ending', title: 'Ending your account' },
  { id: 'liability', title: 'Liability' },
  { id: 'changes', title: 'Changes' },
  { id: 'law', title: 'Law' },
] as const;

const titles = Object.fromEntries(sections.map(({ id, title }) => [id, title])) as Record<
  (typeof sections)[number]['id'],
  string
>;
const { credits: freeCredits } = bundles[0];

export function TermsScreen() {
  return (
    <TextPage
      title="Terms of Service"
      sections={sections}
      lead={
        <>
          <p>
            What you can expect from Inkproof, and what Inkproof expects of you. By creating an account or
            converting notes you agree to these terms.
          </p>
          <p className="text-base">Last changed on {lastChanged}.</p>
        </>
      }
    >
      <TextSection id="who" title={titles.who}>
        <p>
          Inkproof is run under French law by its sole founder, “we” below. Contact is by e-mail only:{' '}
          <SupportEmail />.
        </p>
      </TextSection>
      <TextSection id="account" title={titles.account}>
        <ul>
          <li>You must be 18 or older.</li>
          <li>
            You sign up with an e-mail address that is yours and lasts. Temporary and disposable addresses are
            refused.
          </li>
          <li>
            Free credits are given once per person. Creating several accounts to get them again is not
            allowed.
          </li>
          <li>
            Keep your password to yourself. What happens in your account is your responsibility until you tell
            us that somebody else has access to it.
          </li>
        </ul>
      </TextSection>
      <TextSection id="service" title={titles.service}>
        <p>
          Inkproof reads photos, scans and PDFs of notes and writes LaTeX, with the PDF that it compiles to.
          It also edits, stores, searches and exports what you keep.
        </p>
        <p>
          Reading handwriting is never certain. Spots that the reader doubts are marked, and others may be
          wrong without a mark. Check what you hand in, publish or rely on.
        </p>
      </TextSection>
      <TextSection id="content" title={titles.content}>
        <ul>
          <li>
            What you upload and what is made from it stays yours. You let us process it for one purpose: to do
            what you asked for.
          </li>
          <li>
            Upload only what you may copy and convert: your own notes, or material whose rights you have.
            Material that is recognised as somebody else’s may be refused.
          </li>
          <li>
            Uploaded files are deleted after processing. Files are kept only if you save them; the{' '}
            <PageLink to="/privacy#what-we-keep">privacy policy</PageLink> says for how long.
          </li>
          <li>Nothing you upload is used to train models.</li>
        </ul>
      </TextSection>
      <TextSection id="fair-use" title={titles['fair-use']}>
        <p>Please do not:</p>
        <ul>
          <li>use Inkproof for anything that is against the law or against the rights of others;</li>
          <li>try to access what belongs to other people, or get around limits, credits or security;</li>
          <li>send so much at once that others are held up, or resell the service without asking us.</li>
        </ul>
        <p>
          We may close an account that does any of this. If yours is closed and you think it is a mistake,
          write to us.
        </p>
      </TextSection>
      <TextSection id="credits" title={titles.credits}>
        <ul>
          <li>
            <p>
              Credits are sold in one-time bundles. There is no subscription, and credits never expire. The
              bundles and what they cost are on the <PageLink to="/pricing">pricing page</PageLink>.
            </p>
          </li>
          <li>
            An account begins with {freeCredits.conversion} pages and {freeCredits.assistant} AI
            conversations, free, once its address is confirmed.
          </li>
          <li>
            A page costs one credit when it is delivered. A page that could not be read, and a conversion that
            failed or was cancelled, cost nothing for what was not delivered.
          </li>
          <li>An AI conversation costs one credit when it returns changed LaTeX.</li>
          <li>
            Prices are in pounds in the United Kingdom and in euro everywhere else, and are final: nothing is
            added at checkout. Students take {studentCode.percentOff}% off with the code {studentCode.code}.
          </li>
          <OnlyIf as="li" passage="payments">
            Payments are taken by Stripe. We never see or hold the number of a card.
          </OnlyIf>
          <OnlyIf as="li" passage="test-mode">
            On this site, payments are in test mode: no money moves.
          </OnlyIf>
          <li>Credits belong to one account and cannot be moved to another, or turned into money.</li>
        </ul>
      </TextSection>
      <TextSection id="refund-policy" title={titles['refund-policy']}>
        <ul>
          <li>
            <strong>Technical issues</strong> – pages lost, credits missing, a conversion that never ended –
            are refunded when you report them within 7 days.
          </li>
          <li>
            <strong>Quality</strong> – a result that does not do your notes justice – is looked at when you
            complain within 24 hours of the conversion.
          </li>
          <li>
            Refunds are processed in 5–7 business days, and go back the way you paid. The credits that were
            bought with the money go with it.
          </li>
          <li>Questions about a disputed payment are answered within 2 business days.</li>
        </ul>
        <p>
          To ask for one, write to <SupportEmail /> from the address of your account: the date of the
          purchase, what happened, and, where it is about quality, the page itself.
        </p>
        <p>
          This comes on top of the rights that the law gives you as a consumer, the 14 days of withdrawal
          among them where they apply. Nothing here limits those rights.
        </p>
      </TextSection>
      <TextSection id="support" title={titles.support}>
        <p>
          Questions about billing are answered within 24 hours, all others in 1–2 business days. What to
          include is on the <PageLink to="/contact">contact page</PageLink>.
        </p>
      </TextSection>
      <TextSection id="ending" title={titles.ending}>
        <p>
          You may delete your account at any time, in the <PageLink to="/account">account page</PageLink>.
          Your documents are deleted with it, and credits that are left are lost; export what you want to keep
          first.
        </p>
      </TextSection>
      <TextSection id="liability" title={titles.liability}>
        <p>
          We keep Inkproof running with care, but do not promise that it is always reachable or that every
          page is read without a mistake. As far as the law allows, we are liable for direct damage only.
        </p>
        <p>
          Nothing here limits liability for intent, gross negligence or injury, or rights that a consumer
          cannot give up.
        </p>
      </TextSection>
      <TextSection id="changes" title={titles.changes}>
        <p>
          When these terms change, we announce it 30 days before they take effect, by e-mail to everyone with
          an account and on this page. If you do not agree, you may delete your account before then.
        </p>
      </TextSection>
      <TextSection id="law" title={titles.law}>
        <p>
          French law governs these terms. If you are a consumer elsewhere, the protection that your own
          country’s law makes binding stays with you, and so does your right to go to its courts.
        </p>
        <p>
          If there is a dispute, please write to us first: <SupportEmail />.
        </p>
      </TextSection>
    </TextPage>
  );
}
