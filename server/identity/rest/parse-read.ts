/**
 * The part of PostgREST's query language that our clients use: columns, filters, order, and a range of rows. It becomes
 * SQL with quoted names and with values as parameters.
 */
import { escapeIdentifier } from 'pg';

/** PostgREST's response to a request that cannot be executed. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  constructor(status: number, code: string, message: string, details: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export interface Read {
  /** Selects the requested rows. */
  sql: string;
  values: unknown[];
  /** Counts the rows without the range; uses the first `filterValues` of the values. */
  countSql: string;
  filterValues: number;
  /** The first requested row, from 0. */
  offset: number;
}

interface ReadRequest {
  table: string;
  parameters: URLSearchParams;
  /** `Range`, e.g. `0-9`. */
  range: string | undefined;
}

/** Maximum number of rows in a response: Supabase's default. */
const maxRows = 1000;
const maxFilters = 50;
const maxColumns = 100;
const comparisons: Record<string, string> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
const truths: Record<string, string> = {
  null: 'NULL',
  not_null: 'NOT NULL',
  true: 'TRUE',
  false: 'FALSE',
  unknown: 'UNKNOWN',
};

/** @throws RestError PGRST100 for unsupported syntax, PGRST103 for an impossible range */
export function parseRead({ table, parameters, range }: ReadRequest): Read {
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const [name, value] of parameters) {
    if (['select', 'order', 'limit', 'offset'].includes(name)) continue;
    if (conditions.length >= maxFilters) throw refuse('too many filters');
    conditions.push(parseFilter(quoteColumn(table, name), value, values));
  }
  const filterValues = values.length;
  const from = `FROM public.${escapeIdentifier(table)}${conditions.length ? ` WHERE ${conditions.join(' AND ')}` : ''}`;
  const { offset, limit } = parseRange(parameters, range);
  const columns = split(parameters.get('select') || '*')
    .map((column) => (column === '*' ? '*' : quoteColumn(table, column)))
    .join(', ');
  const order = parameters.get('order');
  const orderBy = order
    ? ` ORDER BY ${split(order)
        .map((term) => parseOrder(table, term))
        .join(', ')}`
    : '';
  values.push(limit, offset);
  return {
    sql: `SELECT ${columns} ${from}${orderBy} LIMIT $${values.length - 1}::bigint OFFSET $${values.length}::bigint`,
    countSql: `SELECT count(*)::int AS count ${from}`,
    values,
    filterValues,
    offset,
  };
}

const refuse = (details: string) =>
  new RestError(400, 'PGRST100', 'failed to parse the query parameters', details);

function split(list: string): string[] {
  const parts = list.split(',').map((part) => part.trim());
  if (parts.length > maxColumns) throw refuse('too many columns');
  return parts;
}

/**
 * Quotes a column's name. Aliases, casts, other tables and JSON paths are refused, and so is the table's own name, which
 * would mean the whole row.
 */
function quoteColumn(table: string, name: string): string {
  if (name === '' || name === table || name.length > 63 || /[\0\s"'():>.,*!]/.test(name))
    throw refuse(`"${name.slice(0, 80)}" is not a column that can be selected`);
  return escapeIdentifier(name);
}

function parseFilter(column: string, filter: string, values: unknown[]): string {
  const isNegated = filter.startsWith('not.');
  const rest = isNegated ? filter.slice('not.'.length) : filter;
  const dot = rest.indexOf('.');
  const operator = rest.slice(0, Math.max(dot, 0));
  const value = rest.slice(dot + 1);
  const not = isNegated ? 'NOT ' : '';
  if (value.includes('\0')) throw refuse('a value contains an invalid character');
  if (operator === 'is') {
    const truth = truths[value.toLowerCase()];
    if (truth === undefined) throw refuse(`is.${value.slice(0, 20)} is not one of ${Object.keys(truths)}`);
    return `${not}${column} IS ${truth}`;
  }
  if (operator === 'in') return `${not}${column} = ANY ($${values.push(parseList(value))})`;
  const comparison = comparisons[operator];
  if (comparison === undefined || !Object.hasOwn(comparisons, operator))
    throw refuse(`the filter "${rest.slice(0, 40)}" is not understood`);
  return `${not}${column} ${comparison} $${values.push(value)}`;
}

/** Parses `(a,"b,c")`; within quotes, a backslash escapes the next character. */
function parseList(text: string): string[] {
  if (!/^\(.*\)$/s.test(text)) throw refuse('a list needs parentheses');
  const inner = text.slice(1, -1);
  if (inner === '') return [];
  const items: string[] = [];
  const item = /(?:"((?:[^"\\]|\\.)*)"|([^,"]*))(,|$)/sy;
  while (item.lastIndex <= inner.length) {
    const found = item.exec(inner);
    if (!found) throw refuse('a list could not be read');
    items.push(found[1] === undefined ? (found[2] ?? '') : found[1].replace(/\\(.)/gs, '$1'));
    if (found[3] === '') break;
  }
  return items;
}

function parseOrder(table: string, term: string): string {
  const [column = '', ...words] = term.split('.');
  const direction = words[0] === 'asc' || words[0] === 'desc' ? words.shift() : 'asc';
  const nulls = words.shift();
  if (words.length > 0 || (nulls !== undefined && nulls !== 'nullsfirst' && nulls !== 'nullslast'))
    throw refuse(`the order "${term.slice(0, 40)}" is not understood`);
  const placing = nulls === undefined ? '' : nulls === 'nullsfirst' ? ' NULLS FIRST' : ' NULLS LAST';
  return `${quoteColumn(table, column)} ${direction === 'desc' ? 'DESC' : 'ASC'}${placing}`;
}

function parseRange(parameters: URLSearchParams, header: string | undefined) {
  const range = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header ?? '');
  let offset = readNumber(parameters, 'offset') ?? 0;
  let limit = readNumber(parameters, 'limit') ?? maxRows;
  if (range && !parameters.has('limit') && !parameters.has('offset')) {
    offset = Number(range[1]);
    if (range[2]) limit = Number(range[2]) - offset + 1;
    if (limit < 0)
      throw new RestError(
        416,
        'PGRST103',
        'Requested range not satisfiable',
        'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      );
  }
  return { offset, limit: Math.min(limit, maxRows) };
}

function readNumber(parameters: URLSearchParams, name: string): number | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw refuse(`${name} is a whole number of up to 15 digits`);
  return Number(text);
}
