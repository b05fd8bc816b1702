import type { Inline, Label } from './tree.ts';

/** A reference as printed; `id` is null if its label does not exist. */
export function printReference(
  reference: Extract<Inline, { kind: 'reference' }>,
  labels: ReadonlyMap<string, Label>,
): { text: string; id: string | null } {
  const label = labels.get(reference.label);
  const number = label?.number || '?';
  const name = label?.name ?? '';
  const text = {
    number,
    equation: `(${number})`,
    citation: `[${number}]`,
    named: name === 'Equation' ? `Equation (${number})` : `${name} ${number}`.trim(),
  }[reference.form];
  return { text, id: label?.id || null };
}
