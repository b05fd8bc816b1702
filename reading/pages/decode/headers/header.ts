/** What a picture's headers say. `cut`: the file ends before the picture does. `damaged`: the headers make no sense. */
export type PictureHeader =
  | { kind: 'whole'; width: number; height: number; pageCount: number }
  | { kind: 'cut' }
  | { kind: 'damaged' };
