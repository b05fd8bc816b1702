/** Uses Tesseract to detect a page's orientation. */
import { spawn } from 'node:child_process';
import { endWithUs } from '#platform/work/bound-command.ts';
import type { Bitmap } from '../../page.ts';
import { shrink, toGrey } from '../../raster.ts';

export interface Orientation {
  /** Quarter turns clockwise by which the page is rotated. */
  quarters: 0 | 1 | 2 | 3;
  /**
   * Tesseract's own measure, from 0. On our samples every answer above 4 was right (print), and all wrong ones were
   * below 3 (handwriting, drawings).
   */
  confidence: number;
}

const longSide = 1600;

/**
 * Its CPU time counts towards that of the page process that runs it, and it ends with that process.
 * @returns null if Tesseract finds too few characters, or is not installed.
 */
export function detectOrientation(page: Bitmap): Promise<Orientation | null> {
  const { width, height, data } = shrink(toGrey(page), longSide);
  const { command, args } = endWithUs([
    ...['tesseract', 'stdin', 'stdout', '--psm', '0', '-l', 'osd', '--dpi', '150'],
  ]);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', () => resolve(null));
    child.on('close', () => {
      const degrees = /Orientation in degrees: (0|90|180|270)\b/.exec(output);
      const confidence = /Orientation confidence: ([\d.]+)/.exec(output);
      if (!degrees || !confidence) return resolve(null);
      resolve({ quarters: (Number(degrees[1]) / 90) as 0 | 1 | 2 | 3, confidence: Number(confidence[1]) });
    });
    child.stdin.on('error', () => {}); // it may end before it has read everything
    child.stdin.write(`P5\n${width} ${height}\n255\n`);
    child.stdin.end(data);
  });
}
