/** Light or dark: the system's wish unless the person chose. The choice is kept in this browser. */

export type Theme = 'system' | 'light' | 'dark';
const storageKey = 'inkproof.theme';

/** Runs in the head before the first paint, so that a remembered choice never flashes. */
export const applyThemeScript = `try{var t=localStorage.getItem('${storageKey}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

export function getTheme(): Theme {
  const theme = typeof document === 'undefined' ? undefined : document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** What is on screen now: resolves `system`. */
export function getShownTheme(): 'light' | 'dark' {
  const theme = getTheme();
  if (theme !== 'system') return theme;
  return typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches
    ? 'dark'
    : 'light';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // storage may be forbidden; the choice then lasts for this page
  }
}
