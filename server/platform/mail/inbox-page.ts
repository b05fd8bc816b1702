/** The inbox as plain HTML without a script. A mail is shown in a frame that may run nothing and is of no origin. */
import type { KeptMail } from './local-inbox.ts';

/** Styles are the page's own and the mail's inline ones; the frame's document inherits this policy. */
export const inboxPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The marks of the app: paper, ink, one pen stroke (web/app/app.css, web/ui/mark.tsx). */
const style = `
:root { color-scheme: light dark;
  --paper: light-dark(oklch(0.982 0.006 84), oklch(0.185 0.014 262));
  --page: light-dark(oklch(1 0 0), oklch(0.232 0.015 262));
  --ink: light-dark(oklch(0.255 0.045 266), oklch(0.935 0.008 88));
  --graphite: light-dark(oklch(0.47 0.022 266), oklch(0.735 0.014 262));
  --hairline: light-dark(oklch(0.9 0.009 84), oklch(0.32 0.016 262));
  --wash: light-dark(oklch(0.255 0.045 266 / 0.055), oklch(0.935 0.008 88 / 0.075));
  --focus: light-dark(oklch(0.5 0.17 262), oklch(0.78 0.11 255)); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.9375rem/1.5 'Inter Variable', Inter, system-ui, sans-serif; }
a { color: inherit; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
header { border-bottom: 1px solid var(--hairline); }
header a { display: inline-flex; align-items: center; gap: 0.5rem; text-decoration: none; font: 600 1.125rem/1 'Source Serif 4 Variable', 'Source Serif 4', Georgia, serif; }
header svg { width: 1.5rem; height: 1.5rem; }
header div, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { font: 500 1.75rem/1.2 'Source Serif 4 Variable', 'Source Serif 4', Georgia, serif; margin: 1.5rem 0 0.25rem; overflow-wrap: anywhere; }
p { margin: 0.25rem 0 1rem; color: var(--graphite); text-wrap: pretty; }
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

const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor"><path d="M25.6 5.9c.5 1.7-.2 3.3-1.7 3.8-1.3.4-2.5-.3-2.9-1.5-.4-1.2.1-2 .3-2.7.2-.8-.1-1.4-.9-1.4-1.7 0-2.7 2.6-3 7.1L16.9 24c-.2 3.3.6 4.4 4 4.7l-.1 1.6H8.4l.1-1.6c3.4-.3 4.2-1.4 4.4-4.7l.6-11.3C13.9 5.5 16.9 1.7 21.1 1.7c2.3 0 4 1.5 4.5 4.2z"/></svg>';

export function renderInbox(mails: KeptMail[]): string {
  const rows = mails.map(
    ({ id, subject, to, at }) =>
      `<li><a href="/inbox/${escapeHtml(id)}"><strong>${escapeHtml(subject)}</strong><span>${escapeHtml(to)}</span>${renderTime(at)}</a></li>`,
  );
  return renderPage(
    'Inbox',
    `<h1>Inbox</h1>
<p>No mail server is set, so what Inkproof would send stays on this machine. Set SMTP_URL to send it for real.</p>
${rows.length === 0 ? '<p>No mail yet.</p>' : `<ol>${rows.join('\n')}</ol>`}
<p><a href="/inbox">Look again</a></p>`,
  );
}

export function renderMail(mail: KeptMail): string {
  // links in the mail open beside this page; popups leave the sandbox, else our own pages would run no script there
  const framed = mail.html.replace(/<head>/i, '<head><base target="_blank">');
  return renderPage(
    mail.subject,
    `<h1>${escapeHtml(mail.subject)}</h1>
<dl><dt>To</dt><dd>${escapeHtml(mail.to)}</dd><dt>Sent</dt><dd>${renderTime(mail.at)}</dd></dl>
<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(framed)}"></iframe>
<details><summary>As plain text</summary><pre>${escapeHtml(mail.text)}</pre></details>
<p><a href="/inbox">All mails</a></p>`,
  );
}

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Inkproof</title>
<style>${style}</style>
</head>
<body>
<header><div><a href="/">${mark}Inkproof</a></div></header>
<main>
${content}
</main>
</body>
</html>
`;
}

function renderTime(at: string): string {
  return `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 19).replace('T', ' '))} UTC</time>`;
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
