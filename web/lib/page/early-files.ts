/**
 * Files that are put on the converter before the app has arrived: chosen, dropped or pasted while its scripts are still
 * coming over a slow line. They wait here; without this the browser would open what is dropped and leave the page.
 */

interface EarlyFiles {
  files: File[];
  /** Ends the listening. */
  stop: () => void;
}

declare global {
  interface Window {
    inkproofEarly?: EarlyFiles;
  }
}

/** On a button before a file input: it opens the picker before the app is there. */
export const opensPicker = { 'data-opens-picker': '' } as const;

/** Runs in the head. */
export const earlyFilesScript = `if(/^\\/convert\\/?$/.test(location.pathname))(function(){
var c=new AbortController(),o={capture:true,signal:c.signal},e=window.inkproofEarly={files:[],stop:function(){c.abort()}};
function keep(l){for(var i=0;l&&i<l.length;i++)e.files.push(l[i]);if(e.files.length)document.documentElement.dataset.earlyFiles=''}
addEventListener('dragover',function(v){v.preventDefault()},o);
addEventListener('drop',function(v){v.preventDefault();keep(v.dataTransfer&&v.dataTransfer.files)},o);
addEventListener('paste',function(v){keep(v.clipboardData&&v.clipboardData.files)},o);
addEventListener('change',function(v){if(v.target.type==='file'){keep(v.target.files);v.target.value=''}},o);
addEventListener('click',function(v){var b=v.target.closest&&v.target.closest('[data-opens-picker]');if(b)b.nextElementSibling.click()},o);
})();`;

/** What came before the app did, once; from now on the app listens itself. */
export function takeEarlyFiles(): File[] {
  const early = window.inkproofEarly;
  early?.stop();
  delete document.documentElement.dataset.earlyFiles;
  return early?.files.splice(0) ?? [];
}
