import { type RefObject, useEffect, useRef, useState } from 'react';

interface FullScreen {
  /** False on phones that allow full screen only for videos. */
  isPossible: boolean;
  isOn: boolean;
  toggle: () => void;
  /** For controls shown outside of it. */
  leave: () => void;
}

/** @param onChange called after the change, also when Escape left full screen */
export function useFullScreen(
  target: RefObject<HTMLElement | null>,
  onChange: (isOn: boolean) => void,
): FullScreen {
  const [isOn, setIsOn] = useState(false);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const handleChange = () => {
      const isNow = target.current !== null && document.fullscreenElement === target.current;
      setIsOn(isNow);
      // the pages have their new size a frame later
      requestAnimationFrame(() => latest.current(isNow));
    };
    document.addEventListener('fullscreenchange', handleChange);
    return () => document.removeEventListener('fullscreenchange', handleChange);
  }, [target]);
  return {
    isPossible: document.fullscreenEnabled,
    isOn,
    leave,
    toggle() {
      if (document.fullscreenElement) leave();
      else void target.current?.requestFullscreen();
    },
  };
}

function leave(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
}
