/** Where a stamp goes on a page: centred on what a reader sees, along its rising diagonal. */

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
  /** Counter-clockwise, in the page's own space. */
  angleDegrees: number;
}

/** At scale 1 the text spans this much of the diagonal, unless it is short: then its height decides. */
const diagonalShare = 0.7;
/** A short text is no taller than this share of the diagonal. */
const heightShare = 0.12;

/** @param sizeScale 1: as large as fits well; 2: twice that, cut off at the page's edge if it must be. */
export function placeStamp(
  page: PageBox,
  stamp: { width: number; height: number },
  sizeScale: number,
): Placement {
  const turned = page.rotate % 180 !== 0;
  const seenWidth = turned ? page.height : page.width;
  const seenHeight = turned ? page.width : page.height;
  const diagonal = Math.hypot(seenWidth, seenHeight);
  const scale =
    sizeScale * Math.min((diagonal * diagonalShare) / stamp.width, (diagonal * heightShare) / stamp.height);
  // a viewer turns the page clockwise by /Rotate, so the stamp is turned back by as much
  const angle = Math.atan2(seenHeight, seenWidth) + (page.rotate * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [halfWidth, halfHeight] = [(stamp.width * scale) / 2, (stamp.height * scale) / 2];
  return {
    x: page.x + page.width / 2 - halfWidth * cos + halfHeight * sin,
    y: page.y + page.height / 2 - halfWidth * sin - halfHeight * cos,
    scale,
    angleDegrees: (angle * 180) / Math.PI,
  };
}
