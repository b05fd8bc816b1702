import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { PublishedEdit } from '#latex/edits/list-exact-edits.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';

/** Without a model: the list of supported changes. A click puts an example into the box. */
export function ChangeList({ onChoose }: { onChoose: (example: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [edits, setEdits] = useState<readonly PublishedEdit[] | null>(null);
  const handleOpen = async (open: boolean) => {
    setIsOpen(open);
    if (open && !edits) setEdits((await import('#latex/edits/list-exact-edits.ts')).listExactEdits());
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={handleOpen}>
      <Popover.Trigger className={buttonClass({ variant: 'quiet', className: 'px-3 text-[0.8125rem]' })}>
        Examples
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={10}
          collisionPadding={8}
          aria-label="Available changes"
          // choosing an example moves the focus to the box, not back to the button
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="z-40 flex max-h-[min(34rem,var(--radix-popover-content-available-height))] w-[min(30rem,calc(100vw-1rem))] animate-appear flex-col rounded-xl border border-hairline bg-page shadow-lg"
        >
          <p className="border-b border-hairline px-4 py-3 text-[0.8125rem] text-graphite">
            These changes are made instantly and exactly. Anything else needs a vision model.
          </p>
          {edits ? (
            <ul className="min-h-0 overflow-y-auto px-4">
              {edits.map((edit) => (
                <li key={edit.name} className="grid gap-1.5 border-b border-hairline py-3.5 last:border-0">
                  <h3 className="text-sm font-medium">{edit.name}</h3>
                  <p className="text-[0.8125rem] text-graphite">{edit.description}</p>
                  <ul className="flex flex-wrap gap-1.5 pt-1">
                    {edit.examples.map((example) => (
                      <li key={example}>
                        <button
                          type="button"
                          onClick={() => {
                            setIsOpen(false);
                            onChoose(example);
                          }}
                          className="min-h-8 rounded-md border border-hairline px-2.5 py-1 text-left text-[0.8125rem] transition-colors duration-150 hover:border-edge hover:bg-wash pointer-coarse:min-h-11"
                        >
                          {example}
                        </button>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          ) : (
            <Loading />
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
