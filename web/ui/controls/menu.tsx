import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn.ts';

interface MenuProps {
  /** The trigger button, styled by the caller. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  /** Moves the focus on closing; by default it returns to the trigger. */
  onClosed?: () => void;
}

/** A drop-down menu with the usual keyboard support: arrow keys, letters and Escape. */
export function Menu({ trigger, children, align = 'end', onClosed }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!onClosed) return;
            event.preventDefault();
            onClosed();
          }}
          className="z-40 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-56 animate-appear overflow-y-auto rounded-xl border border-hairline bg-page p-1.5 shadow-[0_16px_40px_-12px_oklch(0.2_0.04_266/0.3)]"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClass =
  'flex min-h-9 cursor-default items-center gap-3 rounded-md px-2.5 text-sm outline-none select-none data-disabled:text-graphite data-highlighted:bg-wash pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-graphite';

export function MenuItem({
  icon,
  children,
  className,
  keys,
  ...props
}: ComponentProps<typeof DropdownMenu.Item> & { icon?: ReactNode; keys?: string }) {
  return (
    <DropdownMenu.Item {...props} className={cn(itemClass, className)}>
      {icon}
      {children}
      {keys && <kbd className="ml-auto font-sans text-xs text-graphite pointer-coarse:hidden">{keys}</kbd>}
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  /** The menu stays open: the choice is for its other items. */
  isKeptOpen?: boolean;
}

/** A group of choices under a heading, one of them selected. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const { label, value, options, onChange, isKeptOpen } = props;
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => isKeptOpen && event.preventDefault()}
          className={itemClass}
        >
          {option.label}
          <DropdownMenu.ItemIndicator className="ml-auto">
            <Check aria-hidden="true" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-xs text-graphite">{children}</DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />;
}
