/**
 * Light or dark: the system's setting unless the user chose, which is remembered in this browser.
 *
 * All of it is a script in the head: a remembered choice never flashes, and a button with `themeToggle` works before
 * the app has loaded, and on pages that never load it.
 */

const storageKey = 'inkproof.theme';

/** Spread on the button that changes between light and dark. */
export const themeToggle = { 'data-theme-toggle': '' } as const;

/** Runs in the head before the first paint; the page's policy carries its hash. */
export const themeScript = `(function(){var r=document.documentElement;
try{var t=localStorage.getItem('${storageKey}');if(t==='light'||t==='dark')r.dataset.theme=t}catch(e){}
addEventListener('click',function(e){
if(!(e.target instanceof Element)||!e.target.closest('[data-theme-toggle]'))return;
var n=(r.dataset.theme||(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'))==='dark'?'light':'dark';
r.dataset.theme=n;
try{localStorage.setItem('${storageKey}',n)}catch(e){}
})})();`;
