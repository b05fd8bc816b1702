import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'trailing' | 'autoComplete'> {
  /** Tells password managers whether to fill in the one they know or to offer a new one. */
  autoComplete: 'current-password' | 'new-password';
}

/** A password input with a button that shows what was written. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const name = typeof props.label === 'string' ? props.label.toLowerCase() : 'password';
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      trailing={
        <IconButton
          label={isShown ? `Hide ${name}` : `Show ${name}`}
          disabled={props.disabled}
          onClick={() => setIsShown((wasShown) => !wasShown)}
        >
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}
