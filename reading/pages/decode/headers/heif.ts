import type { PictureHeader } from './header.ts';

interface Box {
  type: string;
  start: number;
  end: number;
}

/** Boxes between two offsets. `isCut`: the last one claims more bytes than there are. */
function readBoxes(file: Buffer, from: number, to: number): { boxes: Box[]; isCut: boolean } {
  const boxes: Box[] = [];
  let offset = from;
  while (offset + 8 <= to) {
    let size = file.readUInt32BE(offset);
    let header = 8;
    if (size === 1) {
      if (offset + 16 > to) return { boxes, isCut: true };
      size = Number(file.readBigUInt64BE(offset + 8));
      header = 16;
    } else if (size === 0) size = to - offset; // "to the end of the file"
    if (size < header) return { boxes, isCut: true };
    const type = file.toString('latin1', offset + 4, offset + 8);
    if (offset + size > to) return { boxes, isCut: true };
    boxes.push({ type, start: offset + header, end: offset + size });
    offset += size;
  }
  return { boxes, isCut: offset < to };
}

/**
 * HEIF and AVIF: the largest extent in the picture properties (a tiled photo lists each tile's and the whole's). The
 * decoder applies the rotation.
 */
export function readHeifHeader(file: Buffer): PictureHeader {
  const top = readBoxes(file, 0, file.length);
  if (top.isCut) return { kind: 'cut' };
  const child = (parent: Box | undefined, type: string, skip = 0): Box | undefined =>
    parent && readBoxes(file, parent.start + skip, parent.end).boxes.find((box) => box.type === type);
  const meta = top.boxes.find((box) => box.type === 'meta');
  // meta is a "full box": version and flags come first
  const properties = child(child(meta, 'iprp', 4), 'ipco');
  if (!properties) return { kind: 'damaged' };
  let [width, height] = [0, 0];
  for (const box of readBoxes(file, properties.start, properties.end).boxes) {
    if (box.type !== 'ispe' || box.end - box.start < 12) continue;
    const [boxWidth, boxHeight] = [file.readUInt32BE(box.start + 4), file.readUInt32BE(box.start + 8)];
    if (boxWidth * boxHeight > width * height) [width, height] = [boxWidth, boxHeight];
  }
  return width && height ? { kind: 'whole', width, height, pageCount: 1 } : { kind: 'damaged' };
}
