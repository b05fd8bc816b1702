/** Level strokes in a picture: runs of ink, row by row of pixels, chained where they touch. */

export interface Run {
  y: number;
  /** Columns; `to` is exclusive. */
  from: number;
  to: number;
}

export interface ChainLimits {
  /** Shortest run, px. */
  leastRun: number;
  /** Runs are one stroke across so many columns without ink, and so many rows. */
  columnGap: number;
  rowGap: number;
}

interface Link extends Run {
  /** Itself, or another run of the same stroke; the end of the chain stands for the stroke. */
  stroke: Link;
}

/**
 * @param ink not 0 for ink
 * @returns the runs of each stroke, from top to bottom
 */
export function chainRuns(
  ink: Uint8Array,
  width: number,
  height: number,
  { leastRun, columnGap, rowGap }: ChainLimits,
): Run[][] {
  const runs: Link[] = [];
  let recent: Link[] = [];
  for (let y = 0; y < height; y++) {
    const row: Link[] = [];
    for (let x = 0; x < width; x++) {
      if (!ink[y * width + x]) continue;
      const from = x;
      while (x < width && ink[y * width + x]) x++;
      if (x - from < leastRun) continue;
      const run = { y, from, to: x } as Link;
      run.stroke = run;
      for (const other of [...recent, ...row.slice(-1)])
        if (other.from <= run.to + columnGap && run.from <= other.to + columnGap)
          strokeOf(other).stroke = strokeOf(run);
      row.push(run);
    }
    recent = [...recent.filter((run) => run.y > y - 1 - rowGap), ...row];
    runs.push(...row);
  }
  return [...Map.groupBy(runs, strokeOf).values()];
}

function strokeOf(run: Link): Link {
  let stroke = run;
  while (stroke.stroke !== stroke) stroke = stroke.stroke;
  run.stroke = stroke;
  return stroke;
}
