import { Download, Ellipsis, Keyboard, Maximize, Printer, RotateCcw, RotateCw, Search } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { menuClass, menuItemClass } from './menu-class.ts';
import type { ViewerActions } from './viewer-actions.ts';

interface ActionButtonsProps extends ViewerActions {
  isFinding: boolean;
  isPrinting: boolean;
  /** With room, fewer of them are hidden in the menu. */
  hasRoom: boolean;
}

/** Actions on the whole PDF. */
export function ActionButtons(props: ActionButtonsProps) {
  const { find, print, download, rotate, present, help, isFinding, isPrinting, hasRoom } = props;
  return (
    <>
      <IconButton label="Search in the PDF" aria-expanded={isFinding} onClick={find}>
        <Search />
      </IconButton>
      {hasRoom && (
        <>
          <IconButton label="Print" aria-busy={isPrinting} onClick={print}>
            {isPrinting ? <Spinner className="size-4" /> : <Printer />}
          </IconButton>
          <IconButton label="Download" onClick={download}>
            <Download />
          </IconButton>
        </>
      )}
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <IconButton label="More">
            <Ellipsis />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content align="end" sideOffset={6} collisionPadding={8} className={menuClass}>
            {!hasRoom && (
              <>
                <Item icon={<Download />} run={download}>
                  Download
                </Item>
                <Item icon={<Printer />} run={print}>
                  Print
                </Item>
                <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
              </>
            )}
            <Item icon={<RotateCw />} run={() => rotate(1)}>
              Rotate right
            </Item>
            <Item icon={<RotateCcw />} run={() => rotate(-1)}>
              Rotate left
            </Item>
            {present && (
              <Item icon={<Maximize />} run={present}>
                Full screen
              </Item>
            )}
            <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
            <Item icon={<Keyboard />} run={help}>
              Keyboard
            </Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  );
}

function Item({ icon, run, children }: { icon: ReactNode; run: () => void; children: ReactNode }) {
  return (
    <DropdownMenu.Item
      className={menuItemClass} // a frame later: the menu has restored the focus by then
      onSelect={() => requestAnimationFrame(run)}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}
