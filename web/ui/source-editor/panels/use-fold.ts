import { type RefObject, useEffect, useState } from 'react';

/**
 * Which children of a wrapping row do not fit into its first line: these are hidden, from the keyboard and from screen
 * readers too, until the row is unfolded. The last of each line has `data-ends`.
 */
export function useFold(row: RefObject<HTMLElement | null>, isUnfolded: boolean): boolean {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const look = () => {
      const groups = [...element.children] as HTMLElement[];
      const top = groups[0]?.offsetTop ?? 0;
      let hasBelow = false;
      for (const [index, group] of groups.entries()) {
        const isBelow = group.offsetTop > top;
        hasBelow ||= isBelow;
        group.style.visibility = isBelow && !isUnfolded ? 'hidden' : '';
        const next = groups[index + 1];
        group.toggleAttribute('data-ends', next !== undefined && next.offsetTop > group.offsetTop);
      }
      setIsFull(hasBelow);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const group of element.children) observer.observe(group);
    return () => observer.disconnect();
  }, [row, isUnfolded]);
  return isFull;
}
