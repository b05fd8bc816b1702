/**
 * The privacy policy. It describes what the code does: a change in what is stored, for how long, or who receives it,
 * must change this page as well.
 */
import type { ReactNode } from 'react';
import { getSiteFacts } from '#web/lib/page/site-facts.ts';
import { lastChanged } from './last-changed.ts';
import { OnlyIf } from './only-if.tsx';
import { PageLink, SupportEmail, TextPage, TextSection } from './text-page.tsx';

const sections = [
  { id: 'who', title: 'Who is responsible' },
  { id: 'what-we-keep', title: 'What is kept, and how long' },
  { id: 'reading', title: 'Who reads your pages' },
  { id: 'browser', title: 'Cookies and your browser' },
  { id: 'country', title: 'Your country, for prices' },
  { id: 'others', title: 'What others receive' },
  { id: 'why', title: 'Legal basis' },
  { id: 'security', title: 'Security' },
  { id: 'rights', title: 'Your rights' },
  { id: 'changes', title: 'Changes' },
] as const;

const titles = Object.fromEntries(sections.map(({ id, title }) => [id, title])) as Record<
  (typeof sections)[number]['id'],
  string
>;

export function PrivacyScreen() {
  const { vendor, countryServices } = getSiteFacts();
  return (
    <TextPage
      title="Privacy Policy"
      sections={sections}
      lead={
        <>
          <p>
            Uploads are deleted after processing, and kept only if you save them. No advertising, no tracking,
            nothing sold. Our pages load nothing from anybody else.
          </p>
          <p className="text-base">Last changed on {lastChanged}.</p>
        </>
      }
    >
      <TextSection id="who" title={titles.who}>
        <p>
          Inkproof is run by its sole founder, under French law, who is responsible for your data under the
          General Data Protection Regulation. Contact is by e-mail: <SupportEmail />. Inkproof is for people
          of 18 years or older.
        </p>
      </TextSection>
      <TextSection id="what-we-keep" title={titles['what-we-keep']}>
        <dl className="border-b border-hairline">
          <StoredData what="What you upload">
            Deleted when its result is delivered; pictures of its pages a minute later. Where a conversion
            failed, both stay for at most an hour, so that you can try again.
          </StoredData>
          <StoredData what="A result you have not saved">
            At most an hour on our server, less if you discard it. A record of the conversion, without its
            content, is kept for another day.
          </StoredData>
          <StoredData what="Documents you save">
            Text, its earlier versions, figures and PDF, and pictures of the pages if you choose so. As long
            as you keep them; in the trash they are deleted after 30 days.
          </StoredData>
          <StoredData what="Conversations about a document">
            With the document, and for as long as it exists.
          </StoredData>
          <StoredData what="Your account">
            E-mail address, a hash of your password (never the password), your settings and credits, until you
            delete the account. A sign-up that nobody confirms is deleted after a week.
          </StoredData>
          <StoredData what="Where you are signed in">
            Time, IP address and browser of each session, so that you can see and end them. Until the session
            ends, or has gone unused for 180 days.
          </StoredData>
          <StoredData what="Purchases and the use of credits">
            What was bought, when, for how much, in which country, and which credits were used. They are
            accounting records and are kept for as long as the law requires, without your name or address once
            the account is deleted.
          </StoredData>
          <StoredData what="A fingerprint of your mailbox">
            A keyed hash, from which no address can be read. It stays after an account is deleted, so that
            free credits are given only once.
          </StoredData>
          <StoredData what="Logs">
            Which call was made, when, and how it ended; no content, no e-mail or IP addresses. 14 days.
          </StoredData>
          <StoredData what="E-mails you write to us">
            Until the matter is settled, and for as long as they may be needed to answer you.
          </StoredData>
        </dl>
        <p>Copies in our backups disappear as newer backups replace the old.</p>
      </TextSection>
      <TextSection id="reading" title={titles.reading}>
        <OnlyIf passage="reader-embedded">
          Pages are read by programs on our own server. No AI service is involved: what you upload goes to
          nobody else.
        </OnlyIf>
        <OnlyIf passage="reader-own-model">
          Pages are read, and changes you ask for are made, by a model that runs on machines of our own. What
          you upload goes to nobody else.
        </OnlyIf>
        <OnlyIf passage="reader-vendor">
          Pages are read, and changes you ask for are made, by a third-party AI service: {vendor}. It is sent
          the pages you convert, and the part of a document and the words that a change is about. Nothing else
          about you: no name, no address, no account. We use its paid tier, on which what is sent is not used
          to train models.
        </OnlyIf>
        <p>We train no models on what you upload or write.</p>
      </TextSection>
      <TextSection id="browser" title={titles.browser}>
        <p>
          Reading these pages sets no cookie. There is no analytics service, and no request goes to another
          company. All that is stored is what your own requests need:
        </p>
        <ul>
          <li>
            One cookie, <code className="font-mono text-sm">inkproof_visitor</code>, once you convert or
            compile without an account: a random number, for a year, by which your results can be found again.
          </li>
          <li>Your session, in the browser’s storage, once you sign in. It is removed when you log out.</li>
          <li>
            In the browser’s storage: your choice of colours and editor settings, pages on their way to a
            conversion, and text that could not be saved yet.
          </li>
          <li>
            A cookie that lasts a few minutes while you sign in with Google, to make sure that the response is
            yours.
          </li>
        </ul>
        <p>None of it is used for analytics or advertising, so no consent is needed.</p>
      </TextSection>
      <TextSection id="country" title={titles.country}>
        <p>
          Prices are in pounds in the United Kingdom and in euro elsewhere. Our server finds out which applies
          when a page shows prices.
        </p>
        <OnlyIf passage="countries">
          For that it asks a public service which country your IP address belongs to: {countryServices}, and
          another one only if the first does not answer. It sends only the address, and of an IPv6 address
          only the network part; nothing about you or the page. We keep the country for a day under a hash of
          the network, in memory, and neither store nor log the address. Your browser itself contacts none of
          them.
        </OnlyIf>
      </TextSection>
      <TextSection id="others" title={titles.others}>
        <ul>
          <OnlyIf as="li" passage="payments">
            <strong>Stripe</strong> takes payments on a page of its own. It learns what you enter there and
            which bundle you buy; we learn that it was paid.
          </OnlyIf>
          <OnlyIf as="li" passage="supabase">
            <strong>Supabase</strong> keeps accounts and sessions for us.
          </OnlyIf>
          <li>
            <strong>Google</strong>, only if you choose to continue with Google: it learns that you sign in
            here, and we get your e-mail address and Google’s number for you.
          </li>
          <li>
            <strong>The online editor</strong>, only when you press the button: it gets the LaTeX you send
            there.
          </li>
          <li>
            <strong>The providers of our server and of our mail</strong>, who handle data for us and under our
            instructions. Ask us who they are and we will tell you.
          </li>
        </ul>
        <p>
          Where one of them is outside the European Economic Area, it is bound by an adequacy decision or by
          the European Commission’s standard contractual clauses. Nothing is sold or rented to anybody.
        </p>
      </TextSection>
      <TextSection id="why" title={titles.why}>
        <p>
          Your notes, account and credits are processed to do what you asked for (article 6(1)(b) GDPR);
          accounting records because the law requires them (6(1)(c)); logs, limits, the fingerprint of a
          mailbox and the country for prices because of our legitimate interest in a service that works, is
          not abused and shows the right price (6(1)(f)).
        </p>
      </TextSection>
      <TextSection id="security" title={titles.security}>
        <p>
          A document can be opened only by its owner, and by people with a link to it. If your data gets into
          the wrong hands, we tell the supervisory authority, and you if it puts you at risk, within 72 hours
          of learning of it.
        </p>
      </TextSection>
      <TextSection id="rights" title={titles.rights}>
        <p>
          You may see, correct, export and delete the data we keep about you, and object to or restrict its
          use. Export and deletion are in your <PageLink to="/account">account</PageLink>, at any time,
          without having to ask. For anything else, write to <SupportEmail />.
        </p>
        <p>
          You may also complain to a data protection authority: in France, the CNIL, or the one where you
          live.
        </p>
      </TextSection>
      <TextSection id="changes" title={titles.changes}>
        <p>
          When this policy changes, we announce it 30 days before it takes effect, by e-mail to everyone with
          an account and on this page.
        </p>
      </TextSection>
    </TextPage>
  );
}

function StoredData({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-1 border-t border-hairline py-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="font-medium">{what}</dt>
      <dd className="text-graphite">{children}</dd>
    </div>
  );
}
