/** What can be done with the PDF as a whole, by button and by key. */
export interface ViewerActions {
  find: () => void;
  print: () => void;
  download: () => void;
  rotate: (direction: 1 | -1) => void;
  /** Null where this browser cannot. */
  present: (() => void) | null;
  help: () => void;
}
