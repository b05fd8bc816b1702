/**
 * The layout of all mails: HTML that mail programs can show (a table, inline styles, no images, nothing loaded) and the
 * same in plain text. The colours stay legible where a program inverts them; programs that support a dark colour scheme
 * get one.
 */
import { escapeMarkup } from '#shared/escape-markup.ts';

export interface MailContent {
  /** Of the mail, and its heading. */
  subject: string;
  /** One line, shown after the subject in lists of mails. */
  preview: string;
  /** In order; plain text. */
  paragraphs: string[];
  /** The mail's only action. */
  button?: { label: string; url: string };
  /** After the button: how long the link is valid, what to do if it was not you. */
  notes: string[];
  /** Why this person gets it; after "You received this e-mail because". */
  reason: string;
}

interface Place {
  publicUrl: string;
  supportEmail: string;
}

const sans = "'Inter',-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const serif = "'Source Serif 4',Georgia,'Times New Roman',serif";
/** sRGB of the app's --paper, --page, --ink, --ink-soft, --graphite, --hairline (web/app/app.css). */
const light = {
  paper: '#faf8f4',
  page: '#ffffff',
  ink: '#1b2340',
  soft: '#303a58',
  graphite: '#545a6b',
  line: '#e2ded6',
};
const dark = {
  paper: '#11141b',
  page: '#1a1e26',
  ink: '#eceae5',
  soft: '#cfcdc8',
  graphite: '#a2a7b2',
  line: '#2f343e',
};

export function renderMailHtml(content: MailContent, place: Place): string {
  const paragraph = (text: string, className: string, style: string) =>
    `<p class="${className}" style="margin:0 0 16px;${style}">${escapeMarkup(text)}</p>`;
  const body = `font-family:${sans};font-size:16px;line-height:1.55;color:${light.soft};`;
  const small = `font-family:${sans};font-size:14px;line-height:1.5;color:${light.graphite};`;
  const site = new URL(place.publicUrl).host;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(content.subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { text-underline-offset: 3px; }
@media (max-width: 480px) { .page { padding: 28px 22px !important; } .outer { padding: 20px 12px !important; } }
@media (prefers-color-scheme: dark) {
  .paper { background: ${dark.paper} !important; }
  .page { background: ${dark.page} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .soft { color: ${dark.soft} !important; }
  .graphite { color: ${dark.graphite} !important; }
  .button { background: ${dark.ink} !important; color: ${dark.paper} !important; }
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper};">
<div style="display:none;max-height:0;overflow:hidden;opacity:0;">${escapeMarkup(content.preview)}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${light.paper};table-layout:fixed;">
<tr><td class="outer" align="center" style="padding:36px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;table-layout:fixed;">
<tr><td class="ink" align="left" style="padding:0 4px 16px;font-family:${serif};font-size:21px;font-weight:600;color:${light.ink};">Inkproof</td></tr>
<tr><td class="page" align="left" style="padding:36px 40px;overflow-wrap:anywhere;word-wrap:break-word;background:${light.page};border:1px solid ${light.line};border-radius:6px;">
<h1 class="ink" style="margin:0 0 16px;font-family:${serif};font-size:25px;line-height:1.25;font-weight:500;color:${light.ink};">${escapeMarkup(content.subject)}</h1>
${content.paragraphs.map((text) => paragraph(text, 'soft', body)).join('\n')}
${content.button ? renderButton(content.button, small) : ''}
${content.notes.map((text) => paragraph(text, 'graphite', small)).join('\n')}
</td></tr>
<tr><td class="graphite" align="left" style="padding:20px 4px 0;font-family:${sans};font-size:13px;line-height:1.5;color:${light.graphite};">
You received this e-mail because ${escapeMarkup(content.reason)}<br>
Questions: <a class="graphite" href="mailto:${escapeMarkup(place.supportEmail)}" style="color:${light.graphite};">${escapeMarkup(place.supportEmail)}</a><br>
Inkproof, <a class="graphite" href="${escapeMarkup(place.publicUrl)}" style="color:${light.graphite};">${escapeMarkup(site)}</a>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Repeats the link in full below, for programs without buttons and people who check before they follow it. */
function renderButton({ label, url }: { label: string; url: string }, small: string): string {
  const href = escapeMarkup(url);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px;"><tr><td class="button" align="center" style="background:${light.ink};border-radius:6px;"><a class="button" href="${href}" style="display:inline-block;padding:13px 24px;font-family:${sans};font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none;border-radius:6px;">${escapeMarkup(label)}</a></td></tr></table>
<p class="graphite" style="margin:0 0 16px;${small}">Or open this address:<br><a class="graphite" href="${href}" style="color:${light.graphite};word-break:break-all;">${href}</a></p>`;
}

export function renderMailText(content: MailContent, place: Place): string {
  return [
    content.subject,
    ...content.paragraphs,
    ...(content.button ? [`${content.button.label}:\n${content.button.url}`] : []),
    ...content.notes,
    `-- \nYou received this e-mail because ${content.reason}\nQuestions: ${place.supportEmail}\nInkproof, ${place.publicUrl}`,
  ].join('\n\n');
}
