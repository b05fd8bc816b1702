/** Credits, as the rest of the server sees them. */
export { exportCreditsOf } from './export-credits.ts';
