/**
 * Files that are chosen, dropped or pasted in the converter before the app has loaded over a slow line. They wait
 * here; otherwise the browser would open a dropped file and leave the page.
 */

interface EarlyFiles {
  files: File[];
  /** Stops listening. */
  stop: () => void;
}

declare global {
  interface Window {
    inkproofEarly?: EarlyFiles;
  }
}

/** Put on the button before a file input, it opens the picker before the app has loaded. */
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

/** Returns the early files, once; from now on the app itself listens. */
export function takeEarlyFiles(): File[] {
  const early = window.inkproofEarly;
  early?.stop();
  delete document.documentElement.dataset.earlyFiles;
  return early?.files.splice(0) ?? [];
}
