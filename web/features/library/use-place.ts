import { useMemo } from 'react';
import { useLocation } from 'react-router';
import type { Place } from './library-state.ts';
import { readPlace } from './places.ts';

/** Where in the library the address is. */
export function usePlace(): Place {
  const { pathname, search } = useLocation();
  return useMemo(() => readPlace(pathname, new URLSearchParams(search)), [pathname, search]);
}
