import { useState } from 'react';

/** The error of a field, or of the form as a whole. */
export interface FieldError<Name extends string> {
  field: Name | 'form';
  text: string;
}

/** The values of a form's fields, and an error that the next input clears. */
export function useFields<Name extends string>(begin: Record<Name, string>) {
  const [values, setValues] = useState(begin);
  const [error, setError] = useState<FieldError<Name> | null>(null);
  /** The props of a text field. */
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: error?.field === name ? error.text : null,
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
      setError(null);
    },
  });
  return { values, field, error, setError };
}
