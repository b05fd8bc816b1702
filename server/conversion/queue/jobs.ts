/** The two kinds of job a conversion is made of, as a worker holds them. */
import type { PageRow } from '../present.ts';
import type { StoredFile } from '../schema.ts';

export interface PageJob {
  kind: 'page';
  conversionId: string;
  callerId: string;
  /** The network whose turn it takes. */
  network: string;
  number: number;
  pageCount: number;
  file: StoredFile;
  pageIndex: number;
  drawings: 'figure' | 'tikz';
  token: string;
}

export interface AssemblyJob {
  kind: 'assembly';
  conversionId: string;
  callerId: string;
  /** The network whose turn it takes. */
  network: string;
  pages: PageRow[];
  token: string;
}
