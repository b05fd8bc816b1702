/** The inbox as plain HTML without scripts. Mails are shown in a frame without an origin that cannot run scripts. */
import { escapeMarkup } from '#shared/escape-markup.ts';
import { renderPlainPage } from '../http/answer/plain-page.ts';
import type { KeptMail } from './local-inbox.ts';

/** Styles are the page's own and the mail's inline ones; the frame's document inherits this policy. */
export const inboxPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const style = `
ol { list-style: none; margin: 1.5rem 0; padding: 0; border: 1px solid var(--hairline); border-radius: 6px; background: var(--page); }
li + li { border-top: 1px solid var(--hairline); }
li a { display: grid; gap: 0; padding: 0.75rem 1rem; text-decoration: none; }
li a:hover { background: var(--wash); }
@media (min-width: 36rem) { li a { grid-template-columns: 1fr auto; gap: 0 1rem; } }
li strong { font-weight: 550; overflow-wrap: anywhere; }
li span, li time, dd, dt { color: var(--graphite); overflow-wrap: anywhere; }
li strong { grid-column: 1 / -1; }
li time { font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; margin: 0 0 1rem; }
dd { margin: 0; }
iframe { display: block; width: 100%; height: min(46rem, 80vh); border: 1px solid var(--hairline); border-radius: 6px; background: var(--page); }
details { margin: 1.5rem 0; }
summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid var(--hairline); border-radius: 6px; background: var(--page); font: 0.8125rem/1.6 'JetBrains Mono Variable', ui-monospace, 'DejaVu Sans Mono', monospace; }
`;

export function renderInbox(mails: KeptMail[]): string {
  const rows = mails.map(
    ({ id, subject, to, at }) =>
      `<li><a href="/inbox/${escapeMarkup(id)}"><strong>${escapeMarkup(subject)}</strong><span>${escapeMarkup(to)}</span>${renderTime(at)}</a></li>`,
  );
  return renderPage(
    'Inbox',
    `<h1>Inbox</h1>
<p>No mail server is configured, so Inkproof’s mails stay on this machine. Set SMTP_URL to send them.</p>
${rows.length === 0 ? '<p>No mail yet.</p>' : `<ol>${rows.join('\n')}</ol>`}
<p><a href="/inbox">Refresh</a></p>`,
  );
}

export function renderMail(mail: KeptMail): string {
  // links in mails open in a new tab; popups leave the sandbox, or our own pages would run no scripts there
  const framed = mail.html.replace(/<head>/i, '<head><base target="_blank">');
  return renderPage(
    mail.subject,
    `<h1>${escapeMarkup(mail.subject)}</h1>
<dl><dt>To</dt><dd>${escapeMarkup(mail.to)}</dd><dt>Sent</dt><dd>${renderTime(mail.at)}</dd></dl>
<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeMarkup(framed)}"></iframe>
<details><summary>As plain text</summary><pre>${escapeMarkup(mail.text)}</pre></details>
<p><a href="/inbox">All mails</a></p>`,
  );
}

function renderPage(title: string, content: string): string {
  return renderPlainPage({ title, style, content });
}

function renderTime(at: string): string {
  return `<time datetime="${escapeMarkup(at)}">${escapeMarkup(at.slice(0, 19).replace('T', ' '))} UTC</time>`;
}
