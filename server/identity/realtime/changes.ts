/** Matches changes to subscriptions and formats them: `postgres_changes` as Supabase sends them. */

import type { Viewer } from '../viewer.ts';

export type Row = Record<string, unknown>;

/** The changed row as a viewer may see it; null when they may not. */
export type RowReader = (viewer: Viewer) => Promise<Row | null>;

/** A row that changed, as the database's triggers announce it (`private.announce_row`). */
export interface RowChange {
  table: WatchedTable;
  type: 'INSERT' | 'UPDATE';
  /** Value of the table's key column. */
  key: string;
}

export interface Subscription {
  id: number;
  event: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  schema?: string;
  table?: string;
  filter?: string;
}

/** The tables whose changes are sent. Clients parse numbers by the columns' types. */
export const watchedTables = {
  page_conversion_totals: { key: 'id', columns: { id: 'int4', net_pages: 'int8' } },
  user_credits: {
    key: 'user_id',
    columns: {
      user_id: 'uuid',
      conversion_credits: 'int4',
      assistant_credits: 'int4',
      document_limit: 'int4',
    },
  },
} as const satisfies Record<string, { key: string; columns: Record<string, string> }>;
type WatchedTable = keyof typeof watchedTables;

/** Returns null for a payload that is not ours. */
export function parseChange(payload: string): RowChange | null {
  try {
    const { table, type, key } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof table !== 'string' || !Object.hasOwn(watchedTables, table)) return null;
    if ((type !== 'INSERT' && type !== 'UPDATE') || typeof key !== 'string') return null;
    return { table: table as WatchedTable, type, key };
  } catch {
    return null;
  }
}

const filterForm = /^([a-z_]{1,63})=(eq|neq|gt|gte|lt|lte|in)\.(.*)$/s;

/** True if the subscription names a watched table and a filter over one of its columns. */
export function canBeServed({ schema = 'public', table = '*', filter }: Subscription): boolean {
  if (schema !== 'public' && schema !== '*') return false;
  if (table !== '*' && !Object.hasOwn(watchedTables, table)) return false;
  if (filter === undefined || filter === '') return true;
  const column = filterForm.exec(filter)?.[1];
  return (
    table !== '*' &&
    column !== undefined &&
    Object.hasOwn(watchedTables[table as WatchedTable].columns, column)
  );
}

export function isAskedFor(subscription: Subscription, change: RowChange, row: Row): boolean {
  const { event, table = '*', filter } = subscription;
  if (!canBeServed(subscription)) return false;
  if (event !== '*' && event !== change.type) return false;
  if (table !== '*' && table !== change.table) return false;
  return !filter || passesFilter(filter, row);
}

function passesFilter(filter: string, row: Row): boolean {
  const [, column = '', operator, wanted = ''] = filterForm.exec(filter) ?? [];
  const value = row[column];
  const [left, right] = typeof value === 'number' ? [value, Number(wanted)] : [String(value), wanted];
  switch (operator) {
    case 'eq':
      return left === right;
    case 'neq':
      return left !== right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
    case 'in':
      return wanted
        .replace(/^\(|\)$/g, '')
        .split(',')
        .includes(String(value));
    default:
      return false;
  }
}

/** Payload of a `postgres_changes` event, without the row's former content. */
export function describeChange(change: RowChange, row: Row, ids: number[]): object {
  const { columns, key } = watchedTables[change.table];
  return {
    ids,
    data: {
      schema: 'public',
      table: change.table,
      type: change.type,
      commit_timestamp: new Date().toISOString(),
      columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
      record: row,
      ...(change.type === 'UPDATE' && { old_record: { [key]: row[key] } }),
      errors: null,
    },
  };
}
