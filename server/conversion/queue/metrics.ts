/** Conversion metrics for operators. Labels never carry ids, names or content. */

import { sql } from 'drizzle-orm';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { findAbsence } from '#platform/absence.ts';
import type { Database } from '../database.ts';
import type { AssemblyReport } from './run-assembly.ts';
import type { PageRecord } from './run-page.ts';

export interface ConversionMetrics {
  accepted(pageCount: number): void;
  /** @param code the catalogue code with which an upload was refused */
  refused(code: string): void;
  pageEnded(record: PageRecord): void;
  assemblyEnded(report: AssemblyReport, milliseconds: number): void;
}

/** @param followers the number of streams and waiting calls */
export function createConversionMetrics(
  registry: Registry,
  db: Database,
  followers: () => number,
): ConversionMetrics {
  const registers = [registry];
  const accepted = new Counter({
    name: 'inkproof_conversions_accepted_total',
    help: 'Conversions accepted',
    registers,
  });
  const acceptedPages = new Counter({
    name: 'inkproof_conversion_pages_accepted_total',
    help: 'Pages of accepted conversions',
    registers,
  });
  const refused = new Counter({
    name: 'inkproof_conversions_refused_total',
    help: 'Uploads refused, by code',
    labelNames: ['code'],
    registers,
  });
  const pages = new Counter({
    name: 'inkproof_conversion_pages_total',
    help: 'Page jobs ended, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const reading = new Histogram({
    name: 'inkproof_page_reading_seconds',
    help: 'Time the reader took for a page',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  });
  const assembly = new Histogram({
    name: 'inkproof_assembly_seconds',
    help: 'Time to assemble, compile and repair a document, by outcome',
    labelNames: ['outcome'],
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const failures = new Counter({
    name: 'inkproof_conversion_failures_total',
    help: 'Pages and documents that failed, by station and code of the error catalogue',
    labelNames: ['station', 'code'],
    registers,
  });
  new Gauge({
    name: 'inkproof_conversion_queue',
    help: 'Waiting jobs, by kind',
    labelNames: ['kind'],
    registers,
    async collect() {
      // the other metrics need no database
      this.reset();
      const { rows } = await db
        .execute<{ pages: number; assemblies: number }>(sql`
        select (select count(*)::int from conversions c join conversion_pages p on p.conversion_id = c.id
                where c.state = 'reading' and p.state = 'waiting') as pages,
               (select count(*)::int from conversions where state = 'assembling' and assembly_lease_until is null) as assemblies`)
        .catch((error: unknown) => {
          if (findAbsence(error) === null) throw error;
          return { rows: [] };
        });
      const [queue] = rows;
      if (!queue) return;
      this.set({ kind: 'page' }, queue.pages);
      this.set({ kind: 'assembly' }, queue.assemblies);
    },
  });
  new Gauge({
    name: 'inkproof_conversion_followers',
    help: 'Streams and waiting calls that follow a conversion',
    registers,
    collect() {
      this.set(followers());
    },
  });
  return {
    accepted(pageCount) {
      accepted.inc();
      acceptedPages.inc(pageCount);
    },
    refused(code) {
      refused.inc({ code });
    },
    pageEnded(record) {
      pages.inc({ outcome: record.kind });
      if (record.kind === 'discarded') return;
      if (record.readingMs > 0) reading.observe(record.readingMs / 1000);
      if (record.failure) failures.inc({ station: 'page', code: record.failure });
    },
    assemblyEnded(report, milliseconds) {
      assembly.observe({ outcome: report.kind }, milliseconds / 1000);
      if (report.kind === 'failed') failures.inc({ station: 'assembly', code: report.failure });
    },
  };
}
