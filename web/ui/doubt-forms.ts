import { type DoubtForm, doubtForms } from '#shared/api/exchange.ts';

const labels: Record<DoubtForm, string> = {
  marked: 'Marked in the LaTeX',
  colour: 'In colour',
  none: 'Not marked',
};

/** How a download shows readings that nobody has checked yet; the first is the default. */
export const doubtChoices = doubtForms.map((form) => ({ form, label: labels[form] }));

export const describeDoubtForm: Record<DoubtForm, string> = {
  marked: 'LaTeX files have \\unsure{…} around them, which prints as usual.',
  colour: 'In PDF and LaTeX; Word and web page highlight them.',
  none: 'No file shows them.',
};
