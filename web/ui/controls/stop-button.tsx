import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

/** In CodeMirror's notation. */
export const stopKeys = 'Mod-.';
/** Most compiles are faster: a button that appeared and vanished with every keystroke would only flicker. */
const shownAfterMs = 1_000;

/** Listens for Ctrl or Cmd with the full stop, wherever the focus is. */
export function useStopKey(onStop: (() => void) | null): void {
  const latest = useRef(onStop);
  latest.current = onStop;
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      latest.current?.();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
}

interface StopButtonProps {
  state: 'working' | 'stopped' | 'idle';
  onStop: () => void;
  onAgain: () => void;
}

/** Stops the running compile once it takes long; afterwards, restarts it in the same place. */
export function StopButton({ state, onStop, onAgain }: StopButtonProps) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (state !== 'working') return setIsLong(false);
    const timer = setTimeout(() => setIsLong(true), shownAfterMs);
    return () => clearTimeout(timer);
  }, [state]);
  const isStopped = state === 'stopped';
  if (!isStopped && !(state === 'working' && isLong)) return null;
  return (
    // one button, so that it keeps the focus
    <Button
      size="small"
      variant="quiet"
      // no taller than its line
      className="-my-1"
      icon={isStopped ? <Play className="size-3" /> : <Square className="size-3" />}
      title={isStopped ? undefined : 'Stop compiling (Ctrl+.)'}
      onClick={isStopped ? onAgain : onStop}
    >
      {isStopped ? 'Compile' : 'Stop'}
    </Button>
  );
}
