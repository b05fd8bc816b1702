import { useCallback, useMemo, useState } from 'react';

export interface Selection {
  keys: ReadonlySet<string>;
  toggle(key: string): void;
  /** Selects everything between the last item touched and this one. */
  extendTo(key: string): void;
  selectAll(): void;
  clear(): void;
}

/**
 * The selection in a list.
 * @param order the keys of all items, in display order: items that no longer exist are deselected
 */
export function useSelection(order: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const keys = useMemo(() => new Set(order.filter((key) => chosen.has(key))), [order, chosen]);
  const toggle = useCallback((key: string) => {
    setAnchor(key);
    setChosen((known) => {
      const next = new Set(known);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const extendTo = useCallback(
    (key: string) => {
      const from = anchor === null ? order.indexOf(key) : order.indexOf(anchor);
      const to = order.indexOf(key);
      const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
      if (from < 0 || anchor === null) setAnchor(key);
      setChosen((known) => new Set([...known, ...order.slice(first, last + 1)]));
    },
    [anchor, order],
  );
  const selectAll = useCallback(() => setChosen(new Set(order)), [order]);
  const clear = useCallback(() => {
    setChosen(new Set());
    setAnchor(null);
  }, []);
  return useMemo(
    () => ({ keys, toggle, extendTo, selectAll, clear }),
    [keys, toggle, extendTo, selectAll, clear],
  );
}
