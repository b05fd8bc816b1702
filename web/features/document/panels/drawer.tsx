import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from '#web/ui/controls/button.tsx';

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel at the right: next to the panes on wide screens, over them otherwise. Escape inside it closes it. */
export function Drawer({ title, onClose, children }: DrawerProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
      className="flex min-h-0 w-[22rem] shrink-0 flex-col border-l border-hairline bg-paper max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:z-20 max-xl:w-[min(24rem,100%)] max-xl:animate-appear max-xl:shadow-[-16px_0_40px_-16px_oklch(0.2_0.04_266/0.3)]"
    >
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-hairline pr-1 pl-4">
        <h2 ref={heading} id={id} tabIndex={-1} className="text-[0.8125rem] font-medium outline-none">
          {title}
        </h2>
        <IconButton size="small" label={`Close ${title.toLowerCase()}`} onClick={onClose} className="ml-auto">
          <X />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </aside>
  );
}
