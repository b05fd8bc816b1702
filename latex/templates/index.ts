/** Templates for new documents. Each compiles without an error or a warning. */
import type { TemplateId } from '#shared/api/limits.ts';
import { article } from './article.ts';
import { blank } from './blank.ts';
import { exam } from './exam.ts';
import { homework } from './homework.ts';
import { lectureNotes } from './lecture-notes.ts';
import { letter } from './letter.ts';

export interface Template {
  id: TemplateId;
  name: string;
  /** One line, shown where a template is chosen. */
  description: string;
  /** The whole document. */
  latex: string;
}

export const templates: readonly Template[] = [
  { id: 'blank', name: 'Blank document', description: 'An empty page, ready for mathematics.', latex: blank },
  {
    id: 'lecture-notes',
    name: 'Lecture notes',
    description: 'Numbered definitions and theorems, contents, the course in the header.',
    latex: lectureNotes,
  },
  {
    id: 'homework',
    name: 'Homework',
    description: 'Exercises with solutions, your name and the sheet in the header.',
    latex: homework,
  },
  {
    id: 'exam',
    name: 'Exam',
    description: 'Questions with points, room for answers, a table for marks.',
    latex: exam,
  },
  {
    id: 'article',
    name: 'Article',
    description: 'Abstract, sections, a figure, a table, references.',
    latex: article,
  },
  { id: 'letter', name: 'Letter', description: 'Sender, recipient, subject, signature.', latex: letter },
];

export function getTemplate(id: TemplateId): Template {
  return templates.find((template) => template.id === id)!;
}
