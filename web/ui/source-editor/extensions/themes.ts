/** Editor themes: same as the site, always light or dark, and two of their own. */
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export type EditorTheme = 'site' | 'light' | 'dark' | 'parchment' | 'blackboard';

export const themeNames: Record<EditorTheme, string> = {
  site: 'Same as the site',
  light: 'Light',
  dark: 'Dark',
  parchment: 'Parchment',
  blackboard: 'Blackboard',
};

/** The roles of app.css, recoloured inside the editor. Text has a contrast of at least 4.5 : 1. */
const roles: Record<EditorTheme, string> = {
  site: '',
  light: 'color-scheme: light',
  dark: 'color-scheme: dark',
  parchment: [
    'color-scheme: light',
    '--page: oklch(0.955 0.025 85)',
    '--paper: oklch(0.93 0.03 85)',
    '--ink: oklch(0.3 0.04 60)',
    '--graphite: oklch(0.46 0.035 65)',
    '--hairline: oklch(0.86 0.035 85)',
    '--code-command: oklch(0.42 0.12 300)',
    '--code-argument: oklch(0.43 0.09 145)',
  ].join(';'),
  blackboard: [
    'color-scheme: dark',
    '--page: oklch(0.27 0.03 165)',
    '--paper: oklch(0.24 0.03 165)',
    '--ink: oklch(0.95 0.01 110)',
    '--graphite: oklch(0.77 0.025 165)',
    '--hairline: oklch(0.38 0.03 165)',
    '--code-command: oklch(0.87 0.1 95)',
    '--code-argument: oklch(0.84 0.08 215)',
  ].join(';'),
};

/** The source's text size, in rem; panels and dialogs keep theirs. */
export type TextSize = 'small' | 'normal' | 'large' | 'very large';

const sizes: Record<TextSize, number> = { small: 0.75, normal: 0.8125, large: 0.9375, 'very large': 1.125 };

export const textSizes = Object.keys(sizes) as TextSize[];

const place = new Compartment();

export const theme: Extension = place.of([]);

export function setTheme(view: EditorView, name: EditorTheme, size: TextSize): void {
  const fontSize = size === 'normal' ? '' : `font-size: ${sizes[size]}rem`;
  const style = [roles[name], fontSize].filter(Boolean).join(';');
  view.dispatch({ effects: place.reconfigure(style ? EditorView.editorAttributes.of({ style }) : []) });
}
