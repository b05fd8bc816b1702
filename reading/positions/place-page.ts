/** Maps a page's LaTeX to places on the page: by its words if they are known, otherwise by the shape of its ink. */
import type { PagePlace, ShareBox, TitleBlock } from '#latex/assemble/page-body.ts';
import { alignInk } from './align-ink.ts';
import { addFigures, alignText, boxAround, findTitleBox, type KnownLine } from './align-text.ts';

export interface PageToPlace {
  body: string;
  title?: TitleBlock | undefined;
  /** Drawings that the body includes. */
  figures: readonly { name: string; box: { left: number; top: number; width: number; height: number } }[];
}

/** The words known of a page are trusted if more of the body than this share has a place by them. */
const minCovered = 0.5;

/** A page whose lines are known word by word. */
export function placeByText<T extends PageToPlace>(
  page: T,
  lines: readonly KnownLine[],
): T & { places: PagePlace[] } {
  const box = page.title && findTitleBox(page.title, lines);
  return withPlaces(page, alignText(page.body, lines), box ?? null);
}

/** Places a page that a model has read from its picture by the PDF's own text; null if that is not enough. */
export function placeByOwnText<T extends PageToPlace>(
  page: T,
  lines: readonly KnownLine[],
): (T & { places: PagePlace[] }) | null {
  if (lines.length === 0) return null;
  const known = placeByText(page, lines);
  const covered = known.places.reduce((sum, { start, end }) => sum + end - start, 0);
  return covered > minCovered * page.body.length ? known : null;
}

/**
 * A page that a model has read from its picture.
 * @param ink lines of ink on the prepared page, in reading order
 * @param read the same lines as read by another reader, if any: they are then matched by their text
 */
export function placeByPicture<T extends PageToPlace>(
  page: T,
  ink: readonly ShareBox[],
  read: readonly KnownLine[] = [],
): T & { places: PagePlace[] } {
  const lines = read.length > 0 ? read : ink.map((box) => ({ box, text: '' }));
  const free = lines.filter(({ box }) => !page.figures.some((figure) => isInside(box, figure.box)));
  // the title block is above the body
  const { title } = page;
  const head = title ? `${[title.title, title.author, title.date].filter(Boolean).join('\n\n')}\n\n` : '';
  const places = alignInk(head + page.body, free);
  const ofTitle = places.filter(({ start }) => start < head.length);
  const ofBody = places
    .filter(({ start }) => start >= head.length)
    .map((place) => ({ ...place, start: place.start - head.length, end: place.end - head.length }));
  return withPlaces(page, ofBody, ofTitle.length > 0 ? boxAround(ofTitle.map(({ box }) => box)) : null);
}

function withPlaces<T extends PageToPlace>(
  page: T,
  places: PagePlace[],
  titleBox: ShareBox | null,
): T & { places: PagePlace[] } {
  return {
    ...page,
    ...(page.title && titleBox ? { title: { ...page.title, box: titleBox } } : {}),
    places: addFigures(page.body, places, page.figures),
  };
}

function isInside(box: ShareBox, figure: PageToPlace['figures'][number]['box']): boolean {
  const [x, y] = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  return (
    x > figure.left && x < figure.left + figure.width && y > figure.top && y < figure.top + figure.height
  );
}
