/** Paths of the film's files, which `npm run demo:record` writes to web/public/demo. */
export const videoPath = '/demo/inkproof.mp4';
export const posterPath = '/demo/poster.webp';
export const captionsPath = '/demo/captions.en.vtt';
