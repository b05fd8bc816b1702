import { useState } from 'react';

/** Yes or no as somebody last wished in this browser; null while they have not. Where storage is forbidden it holds for this page. */
export function useKeptWish(storageKey: string): [boolean | null, (wish: boolean) => void] {
  const [wish, setWish] = useState(() => readWish(storageKey));
  return [
    wish,
    (next) => {
      setWish(next);
      try {
        localStorage.setItem(storageKey, next ? 'on' : 'off');
      } catch {
        // storage is forbidden
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
