import { useNavigation } from 'react-router';

/** A progress line along the top of the old screen while the next one loads over a slow connection. */
export function NavigationLine() {
  const { state } = useNavigation();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50">
      {state !== 'idle' && (
        <div className="navigation-line h-0.5 overflow-hidden">
          <div className="h-full bg-ink" />
          <span className="sr-only">Loading the page…</span>
        </div>
      )}
    </div>
  );
}
