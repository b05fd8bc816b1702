/** Messages sent to a formula process. */

import type { Box } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import type { Line, PrintedPage } from '../printed-page.ts';
import type { PrintLook } from './look-printed.ts';

export interface PrintedLines {
  /** The page, evenly lit, one channel. */
  grey: Bitmap;
  page: PrintedPage;
  /** The lines outside tables and figures. */
  lines: Line[];
  /** Tables and figures. */
  taken: Box[];
  /** The cells of tables, each as a line. */
  cells: Line[];
}

export type FormulaTask = (PrintedLines | PrintLook) & {
  /** Path of the weights. */
  model: string;
};
