import { useNavigation } from 'react-router';

/** On a slow line a screen takes a while to come: until it is there, a line runs along the top of the one that is left. */
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
