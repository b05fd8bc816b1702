import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Accepts pictures dropped on the source, or pasted into it. */
export function pictureDrop(onPictures: (files: File[], at: number) => void): Extension {
  return EditorView.domEventHandlers({
    drop(event, view) {
      const files = listPictures(event.dataTransfer);
      if (files.length === 0) return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head;
      onPictures(files, at);
      return true;
    },
    paste(event, view) {
      const files = listPictures(event.clipboardData);
      // a table copied from a spreadsheet includes a picture of itself: the text is what is wanted
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return false;
      event.preventDefault();
      onPictures(files, view.state.selection.main.head);
      return true;
    },
  });
}

function listPictures(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(
    ({ type }) => type.startsWith('image/') || type === 'application/pdf',
  );
}
