/** Reading what people draw on a pad, over HTTP. */
export { registerInkRoute } from './routes.ts';
