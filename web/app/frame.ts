/**
 * The layout of a screen, derived from its address alone: `bare` screens have no site header, `wide` ones fill the
 * window, all others keep to the text width. A visitor who has to log in first sees a text page.
 */
export type Frame = 'bare' | 'wide' | 'column';

const bare = /^\/shared\//;
const desk = /^\/convert/;
const library = /^\/documents(\/folders|\/?$)/;

export function frameOf(pathname: string, isSignedOut: boolean): Frame {
  if (bare.test(pathname)) return 'bare';
  return desk.test(pathname) || (library.test(pathname) && !isSignedOut) ? 'wide' : 'column';
}

/**
 * Runs in the head after `applySessionScript`: sets `data-frame` before the first paint of a page that waits for the
 * app.
 */
export const applyFrameScript = `try{var p=location.pathname,d=document.documentElement.dataset;d.frame=${bare}.test(p)?'bare':${desk}.test(p)||${library}.test(p)&&d.session==='in'?'wide':'column'}catch(e){}`;
