/** From a table's rows to what the API answers. A field has its column's name: `folder_id` for `folderId`. */
import { getTableColumns } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type Json<Value> = Value extends Date ? string : Value;

/** The columns of these fields, for a select without the others. */
export function pickColumns<Table extends PgTable, Name extends string>(
  table: Table,
  names: readonly (Camel<Name> extends keyof Table['_']['columns'] ? Name : never)[],
): Pick<Table['_']['columns'], Camel<Name>> {
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(columns.filter(([key]) => names.some((name) => toCamel(name) === key))) as Pick<
    Table['_']['columns'],
    Camel<Name>
  >;
}

/** These fields of a row, with times as ISO 8601. */
export function presentRow<Name extends string, Row extends Record<Camel<Name>, unknown>>(
  row: Row,
  names: readonly Name[],
): { [N in Name]: Json<Row[Camel<N>]> } {
  return Object.fromEntries(
    names.map((name) => {
      const value = row[toCamel(name)];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as { [N in Name]: Json<Row[Camel<N>]> };
}

function toCamel<Name extends string>(name: Name): Camel<Name> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;
}
