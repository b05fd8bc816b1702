import type { Question } from '../structured-data.ts';

/** Questions about physics notes: for the page and its structured data. */
export const physicsQuestions: readonly Question[] = [
  {
    question: 'Which packages does physics notation need?',
    answer:
      'amsmath for aligned equations, siunitx for units, physics or braket where their commands are used. The preamble is put together from what the document uses, and the document has been compiled before you get it.',
  },
  {
    question: 'How do I keep my own notation?',
    answer:
      'Put your macros into your preamble once, for example for bold vectors or units. New documents and conversions start with it.',
  },
  {
    question: 'What happens to diagrams?',
    answer:
      'A drawing stays a picture in the document, where it stood on your page. You can scale it or replace it in the editor.',
  },
  {
    question: 'Does it check my derivation?',
    answer:
      'No. A sign that is wrong on paper stays wrong in print. Nothing is corrected, solved or completed; spots that are hard to read are listed, next to the original ink, for you to decide.',
  },
  {
    question: 'Which letters are easily confused?',
    answer:
      'v and ν, w and ω, p and ρ, a and α, and letters whose capital and small form look the same. Write them apart where you can, and look at these first after a conversion.',
  },
  {
    question: 'May I use the result in a lab report?',
    answer:
      'Yes. The result is yours. Download the LaTeX and its PDF, open it in an online editor, or continue in the editor here.',
  },
];
