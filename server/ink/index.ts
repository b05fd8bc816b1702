/** HTTP interface for reading drawings from the pad. */
export { registerInkRoute } from './routes.ts';
