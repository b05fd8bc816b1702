import { type ReactNode, useEffect, useRef, useState } from 'react';

interface DropZoneProps {
  onFiles: (files: File[]) => void;
  /** While true, nothing may be dropped. */
  isClosed?: boolean;
  /** Shown while files are dragged over the window. */
  label?: string;
  children: ReactNode;
}

/** Accepts files dropped anywhere in the window, and pasted files. */
export function DropZone({ onFiles, isClosed = false, label = 'Drop to add', children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;

  useEffect(() => {
    // enter and leave events fire for every element on the way: only their balance counts
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const listeners = new AbortController();
    const { signal } = listeners;
    addEventListener(
      'dragenter',
      (event) => {
        if (!hasFiles(event)) return;
        depth++;
        setIsOver(!isClosed);
      },
      { signal },
    );
    addEventListener(
      'dragleave',
      (event) => {
        if (!hasFiles(event)) return;
        depth = Math.max(0, depth - 1);
        if (depth === 0) setIsOver(false);
      },
      { signal },
    );
    // otherwise the browser would open the file and leave the page
    addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth = 0;
        setIsOver(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (!isClosed && files.length > 0) take.current(files);
      },
      { signal },
    );
    addEventListener(
      'paste',
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (isClosed || files.length === 0) return;
        event.preventDefault();
        take.current(files);
      },
      { signal },
    );
    return () => listeners.abort();
  }, [isClosed]);

  return (
    <>
      {children}
      {isOver && (
        <div
          aria-hidden="true"
          className="pointer-events-none fixed inset-2 z-50 grid animate-appear place-items-center rounded-2xl border-2 border-dashed border-ink bg-paper/95"
        >
          <p className="px-6 text-center font-serif text-3xl font-medium">{label}</p>
        </div>
      )}
    </>
  );
}
