/** The engines that documents may be compiled with. */
import { z } from 'zod';

export const Engine = z.enum(['xelatex', 'pdflatex', 'lualatex']);
export type Engine = z.infer<typeof Engine>;

/** As people write them. */
export const engineNames: Record<Engine, string> = {
  xelatex: 'XeLaTeX',
  pdflatex: 'pdfLaTeX',
  lualatex: 'LuaLaTeX',
};
