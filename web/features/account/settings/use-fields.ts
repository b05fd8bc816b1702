import { useState } from 'react';

/** What is said of a field, or of the form as a whole. */
export interface FieldError<Name extends string> {
  field: Name | 'form';
  text: string;
}

/** The texts of a form's fields and what is wrong with one of them, which the next key press takes back. */
export function useFields<Name extends string>(begin: Record<Name, string>) {
  const [values, setValues] = useState(begin);
  const [error, setError] = useState<FieldError<Name> | null>(null);
  /** For a text field. */
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
