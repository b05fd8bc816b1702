/**
 * How a screen stands in the window, known from its address alone: `bare` ones have no header of the site, `wide` ones
 * fill the window, all others keep to the measure of their text. Who is asked to log in sees text, not a desk.
 */
export type Frame = 'bare' | 'wide' | 'column';

const bare = /^\/shared\//;
const desk = /^\/convert/;
const library = /^\/documents(\/folders|\/?$)/;

export function frameOf(pathname: string, isSignedOut: boolean): Frame {
  if (bare.test(pathname)) return 'bare';
  return desk.test(pathname) || (library.test(pathname) && !isSignedOut) ? 'wide' : 'column';
}

/** Runs in the head after `applySessionScript`: `data-frame`, before the first paint of a page that waits for the app. */
export const applyFrameScript = `try{var p=location.pathname,d=document.documentElement.dataset;d.frame=${bare}.test(p)?'bare':${desk}.test(p)||${library}.test(p)&&d.session==='in'?'wide':'column'}catch(e){}`;
