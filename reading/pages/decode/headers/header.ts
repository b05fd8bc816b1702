/**
 * The contents of a picture's headers. `cut`: the file ends before the picture does. `damaged`: the headers are
 * invalid.
 */
export type PictureHeader =
  | { kind: 'whole'; width: number; height: number; pageCount: number }
  | { kind: 'cut' }
  | { kind: 'damaged' };
