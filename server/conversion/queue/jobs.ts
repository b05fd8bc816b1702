/** The two kinds of job that make up a conversion, as a worker holds them. */
import type { PageRow } from '../present.ts';
import type { StoredFile } from '../schema.ts';

export interface PageJob {
  kind: 'page';
  conversionId: string;
  callerId: string;
  /** The network in whose turn it runs. */
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
  /** The network in whose turn it runs. */
  network: string;
  pages: PageRow[];
  token: string;
}
