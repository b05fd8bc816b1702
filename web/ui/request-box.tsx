import type { KeyboardEvent, ReactNode, Ref } from 'react';

interface RequestBoxProps {
  /** The text field's id. */
  id: string;
  /** For screen readers, not shown. */
  label: string;
  placeholder: string;
  value: string;
  maxLength: number;
  isReadOnly?: boolean;
  box?: Ref<HTMLTextAreaElement>;
  onType: (text: string) => void;
  /** Called for the `submit` button, or Enter; Shift+Enter starts a new line. */
  onSend: () => void;
  /** Buttons after the field. */
  children: ReactNode;
}

/** A text field that grows with its content, and the button that sends it. */
export function RequestBox(props: RequestBoxProps) {
  const { id, label, placeholder, value, maxLength, isReadOnly, box, onType, onSend, children } = props;
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <form
      className="flex items-end gap-2 p-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        ref={box}
        id={id}
        rows={1}
        value={value}
        maxLength={maxLength}
        readOnly={isReadOnly}
        placeholder={placeholder}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-40 min-h-10 min-w-0 flex-1 resize-none rounded-lg border border-edge bg-page px-3 py-2 text-sm leading-[1.375rem] pointer-coarse:text-base"
      />
      {children}
    </form>
  );
}
