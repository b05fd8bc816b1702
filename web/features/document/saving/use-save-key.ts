import { useEffect } from 'react';

/** Ctrl or ⌘ with S saves, wherever the focus is: nobody wants to save the web page. */
export function useSaveKey(saveAll: () => Promise<boolean>): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void saveAll();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [saveAll]);
}
