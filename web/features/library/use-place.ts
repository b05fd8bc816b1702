import { useMemo } from 'react';
import { useLocation } from 'react-router';
import type { Place } from './library-state.ts';
import { readPlace } from './places.ts';

/** The library place in the current address. */
export function usePlace(): Place {
  const { pathname, search } = useLocation();
  return useMemo(() => readPlace(pathname, new URLSearchParams(search)), [pathname, search]);
}
