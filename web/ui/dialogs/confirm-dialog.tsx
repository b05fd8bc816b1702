import { AlertDialog } from 'radix-ui';
import { buttonClass } from '../controls/button.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0.15_0.02_266/0.45)]" />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 animate-appear rounded-xl border border-hairline bg-page p-6 shadow-lg">
          <AlertDialog.Title className="font-serif text-xl font-semibold">{props.title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-graphite">{props.text}</AlertDialog.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel className={buttonClass({ variant: 'outline' })}>
              {props.cancelLabel}
            </AlertDialog.Cancel>
            <AlertDialog.Action className={buttonClass({ variant: 'primary' })} onClick={props.onConfirm}>
              {props.confirmLabel}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
