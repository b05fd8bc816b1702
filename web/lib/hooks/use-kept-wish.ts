import { useState } from 'react';

/** The user's last choice in this browser; null before any. If storage is blocked, it lasts as long as the page. */
export function useKeptWish(storageKey: string): [boolean | null, (wish: boolean) => void] {
  const [wish, setWish] = useState(() => readWish(storageKey));
  return [
    wish,
    (next) => {
      setWish(next);
      try {
        localStorage.setItem(storageKey, next ? 'on' : 'off');
      } catch {
        // storage is blocked
      }
    },
  ];
}

function readWish(storageKey: string): boolean | null {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === null ? null : kept === 'on';
  } catch {
    return null;
  }
}
