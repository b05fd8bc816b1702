/** Where a stamp goes on a page: centred on the visible part, along its rising diagonal. */

export interface PageBox {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The page's /Rotate, clockwise, a multiple of 90. */
  rotate: number;
}

export interface Placement {
  /** Where the stamp's lower left corner goes, in the page's own space. */
  x: number;
  y: number;
  scale: number;
  /** Counter-clockwise, in radians, in the page's own space. */
  angle: number;
}

/** The size assumed if a page gives none, or an impossible one: US Letter, as in viewers. */
const usualSize = { x: 0, y: 0, width: 612, height: 792 };

/** At scale 1 the text spans this much of the diagonal, unless it is short: then its height decides. */
const diagonalShare = 0.7;
/** A line is no taller than this share of the diagonal. */
const lineHeightShare = 0.18;
/** The share of a low or narrow page that the stamp may fill. */
const pageShare = 0.95;

type Rectangle = Omit<PageBox, 'rotate'>;

/**
 * The part of a page that viewers show: the intersection of its crop box and media box. Corners may be given in
 * any order.
 */
export function findSeenBox(mediaBox: Rectangle | null, cropBox: Rectangle | null): Rectangle {
  const media = mediaBox && turnForward(mediaBox);
  const whole = media && media.width > 0 && media.height > 0 ? media : usualSize;
  if (!cropBox) return whole;
  const crop = turnForward(cropBox);
  const x = Math.max(whole.x, crop.x);
  const y = Math.max(whole.y, crop.y);
  const width = Math.min(whole.x + whole.width, crop.x + crop.width) - x;
  const height = Math.min(whole.y + whole.height, crop.y + crop.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : whole;
}

function turnForward({ x, y, width, height }: Rectangle): Rectangle {
  return {
    x: Math.min(x, x + width),
    y: Math.min(y, y + height),
    width: Math.abs(width),
    height: Math.abs(height),
  };
}

/** @param sizeScale 1: as large as fits well; 2: twice that, cut off at the page's edge if necessary. */
export function placeStamp(
  page: PageBox,
  stamp: { width: number; height: number; lineCount: number },
  sizeScale: number,
): Placement {
  // anything but a multiple of 90 rotates nothing
  const rotate = page.rotate % 90 === 0 ? page.rotate : 0;
  const turned = rotate % 180 !== 0;
  const seenWidth = turned ? page.height : page.width;
  const seenHeight = turned ? page.width : page.height;
  const diagonal = Math.hypot(seenWidth, seenHeight);
  const rise = Math.atan2(seenHeight, seenWidth);
  const leaning = {
    width: stamp.width * Math.cos(rise) + stamp.height * Math.sin(rise),
    height: stamp.width * Math.sin(rise) + stamp.height * Math.cos(rise),
  };
  const scale =
    sizeScale *
    Math.min(
      (diagonal * diagonalShare) / stamp.width,
      (diagonal * lineHeightShare * stamp.lineCount) / stamp.height,
      (seenWidth * pageShare) / leaning.width,
      (seenHeight * pageShare) / leaning.height,
    );
  // a viewer rotates the page clockwise by /Rotate, so the stamp is rotated back by as much
  const angle = rise + (rotate * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [halfWidth, halfHeight] = [(stamp.width * scale) / 2, (stamp.height * scale) / 2];
  return {
    x: page.x + page.width / 2 - halfWidth * cos + halfHeight * sin,
    y: page.y + page.height / 2 - halfWidth * sin - halfHeight * cos,
    scale,
    angle,
  };
}
