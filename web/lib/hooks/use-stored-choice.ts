import { useState } from 'react';

/** The user's last choice in this browser; null before any. If storage is blocked, it lasts as long as the page. */
export function useStoredChoice(storageKey: string): [boolean | null, (choice: boolean) => void] {
  const [choice, setChoice] = useState(() => readChoice(storageKey));
  return [
    choice,
    (next) => {
      setChoice(next);
      try {
        localStorage.setItem(storageKey, next ? 'on' : 'off');
      } catch {
        // storage is blocked
      }
    },
  ];
}

function readChoice(storageKey: string): boolean | null {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === null ? null : stored === 'on';
  } catch {
    return null;
  }
}
