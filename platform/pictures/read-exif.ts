/** The two facts of a picture's EXIF data that change how it looks; nothing else is read. */

export interface ExifFacts {
  /** 1 (upright) to 8. */
  orientation: number;
  /** Pixels per inch or centimetre, rounded; null if not given. */
  density: { unit: 'inch' | 'centimetre'; x: number; y: number } | null;
}

const tags = { orientation: 0x0112, x: 0x011a, y: 0x011b, unit: 0x0128 };

/** @param tiff EXIF data from its byte order on (EXIF 2.32, 4.5–4.6); broken data counts as missing */
export function readExif(tiff: Buffer): ExifFacts {
  const order = tiff.toString('latin1', 0, 4);
  const isLittle = order === 'II*\0';
  const values = new Map<number, number>();
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const isThere = (at: number, size: number) => at + size <= tiff.length;
  if ((isLittle || order === 'MM\0*') && isThere(0, 8)) {
    const directory = long(4);
    const count = isThere(directory, 2) ? short(directory) : 0;
    for (let index = 0; index < count && isThere(directory + 2 + 12 * index, 12); index++) {
      const entry = directory + 2 + 12 * index;
      const type = short(entry + 2);
      if (type === 3) values.set(short(entry), short(entry + 8));
      if (type === 5 && isThere(long(entry + 8), 8)) {
        const at = long(entry + 8);
        values.set(short(entry), Math.round(long(at) / Math.max(1, long(at + 4))));
      }
    }
  }
  const orientation = values.get(tags.orientation) ?? 1;
  const unit = values.get(tags.unit) === 3 ? 'centimetre' : 'inch';
  const [x, y] = [values.get(tags.x) ?? 0, values.get(tags.y) ?? 0];
  const isDensity = x > 0 && y > 0 && x <= 0xffff && y <= 0xffff;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    density: isDensity ? { unit, x, y } : null,
  };
}
