/** Actions on the whole PDF, by button and by key. */
export interface ViewerActions {
  find: () => void;
  print: () => void;
  download: () => void;
  rotate: (direction: 1 | -1) => void;
  /** Null if this browser cannot. */
  present: (() => void) | null;
  help: () => void;
}
