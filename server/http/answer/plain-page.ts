/** Pages that the server renders by itself, without a script, in the app's style. */
import { escapeMarkup } from '#shared/escape-markup.ts';

/** Paper, ink, one pen stroke (web/app/app.css, web/ui/mark.tsx). */
const plainStyle = `
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
`;

const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor"><path d="M25.6 5.9c.31 1.69-.2 3.3-1.7 3.8-1.3.4-2.5-.3-2.9-1.5-.4-1.2.1-2 .3-2.7.2-.8-.1-1.4-.9-1.4-1.7 0-2.7 2.6-3 7.1L16.9 24c-.2 3.3.6 4.4 4 4.7l-.1 1.6H8.4l.1-1.6c3.4-.3 4.2-1.4 4.4-4.7l.6-11.3C13.9 5.5 16.9 1.7 21.1 1.7c2.3 0 4 1.5 4.5 4.2z"/></svg>';

export interface PlainPage {
  title: string;
  /** Additional rules, after those shared by all pages. */
  style: string;
  /** HTML of the main part; anything a person wrote has gone through `escapeMarkup`. */
  content: string;
}

/** The content of the page's only style element, for a policy that names it by its hash. */
export function listPlainStyles(style: string): string {
  return `${plainStyle}${style}`;
}

export function renderPlainPage({ title, style, content }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup(title)} · Inkproof</title>
<style>${listPlainStyles(style)}</style>
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
