import { bundles } from '#shared/api/bundles.ts';

/** A visitor's question and its answer, in plain text: shown on the page, and repeated in structured data. */
export interface Question {
  question: string;
  answer: string;
}

const [free] = bundles;

export const landingQuestions: readonly Question[] = [
  {
    question: 'What can I convert?',
    answer:
      'Photos from a phone, scans and PDFs, several at a time. You can rotate pages, reorder them and leave some out before anything is read.',
  },
  {
    question: 'What do I get back?',
    answer:
      'One LaTeX document and its PDF. The LaTeX has been compiled before you see it, and you can edit it next to the page, download both, or keep them in your documents.',
  },
  {
    question: 'Does it correct my mathematics?',
    answer:
      'No. What you wrote is what you get: nothing is corrected, solved or completed. Spots that are hard to read are listed, next to the original ink, for you to decide.',
  },
  {
    question: 'How well does it read handwriting?',
    answer:
      'That depends on the reader in use. The embedded one needs no AI service. On clean pen strokes, as a tablet exports them, it gets about one character in twenty wrong. Phone photos of mathematics are harder: expect it to find seven lines in ten, and to read one in six without a mistake. With a vision model, photos read far better. Check what you convert: anything the reader is unsure of is marked.',
  },
  {
    question: 'What happens to my files?',
    answer:
      'Uploaded files are deleted after processing. They are kept only if you save them to your documents.',
  },
  {
    question: 'What does it cost?',
    answer: `The first ${free.credits.conversion} pages and ${free.credits.assistant} AI conversations are free. After that, you buy one-time bundles of pages. There is no subscription, and credits never expire.`,
  },
  {
    question: 'Who may use it?',
    answer:
      'It is made for students, teachers and researchers, and for notes of maths, physics, grammar and whatever else is written by hand. Anyone who is 18 or older may use it.',
  },
];
