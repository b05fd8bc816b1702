/** The global settings of a SyncTeX file: unit and origin of its positions. */

const scaledPointsPerInch = 4_736_286.72;
const pointsPerInch = 72;

/** Global settings: the preamble's are plain numbers; the post scriptum's, with units, may replace them. */
export interface Settings {
  magnification: number;
  unit: number;
  offsetX: number;
  offsetY: number;
  afterwards: { magnification?: number; offsetX?: number; offsetY?: number };
}

const settingNames = /^(Magnification|Unit|X Offset|Y Offset):\s*(-?\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]{2})?/i;
const inchesPer: Record<string, number> = {
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  bp: 1 / 72,
  pt: 1 / 72.27,
  pc: 12 / 72.27,
  sp: 1 / scaledPointsPerInch,
  dd: 1238 / 1157 / 72.27,
  cc: (12 * 1238) / 1157 / 72.27,
};

export function readSetting(line: string, settings: Settings, isAfterwards: boolean): void {
  const found = settingNames.exec(line);
  if (!found) return;
  const value = Number(found[2]);
  if (!Number.isFinite(value)) return;
  const name = found[1]!.toLowerCase();
  if (!isAfterwards) {
    if (name === 'magnification' && value > 0) settings.magnification = value;
    if (name === 'unit' && value > 0) settings.unit = value;
    if (name === 'x offset') settings.offsetX = value;
    if (name === 'y offset') settings.offsetY = value;
    return;
  }
  const points = value * (inchesPer[found[3]?.toLowerCase() ?? 'bp'] ?? 1 / 72) * pointsPerInch;
  if (name === 'magnification' && value > 0) settings.afterwards.magnification = value;
  if (name === 'x offset') settings.afterwards.offsetX = points;
  if (name === 'y offset') settings.afterwards.offsetY = points;
}

export function scaleOf({ magnification, unit, offsetX, offsetY, afterwards }: Settings) {
  const pointsPerPlain = (unit * pointsPerInch) / scaledPointsPerInch;
  return {
    pointsPerUnit: pointsPerPlain * (afterwards.magnification ?? magnification / 1000),
    offsetX: afterwards.offsetX ?? offsetX * pointsPerPlain,
    offsetY: afterwards.offsetY ?? offsetY * pointsPerPlain,
  };
}
