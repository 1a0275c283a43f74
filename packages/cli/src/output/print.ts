import { isObject, toYaml, type Json } from '@weft/apply';
import type { Io } from '../session/io';
import { plainJson, plainText } from './plain-text';

/** Formats of data on stdout. */
export const FORMATS = ['table', 'json', 'jsonl', 'yaml'] as const;

/** A format of data. */
export type Format = (typeof FORMATS)[number];

/** Prints data. */
export interface Printer {
  readonly format: Format;
  /** True: ids only. */
  readonly quiet: boolean;
  /** A list of entries. */
  readonly list: (entries: readonly unknown[], columns?: readonly string[]) => void;
  /** One object. */
  readonly one: (value: unknown) => void;
}

const MAX_CELL = 60;
const MAX_COLUMNS = 7;
/** Columns that say most, in this order, where entries have them. */
const PREFERRED = [
  ...['id', 'key', 'name', 'email', 'type', 'role', 'active', 'status', 'state', 'action', 'value', 'columns'],
  ...['mode', 'workflowId', 'at', 'startedAt', 'finishedAt', 'createdAt', 'updatedAt'],
];

const record = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : { value });

const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = plainText(text).replace(/\s+/g, ' ');
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL - 1)}…` : line;
};

const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] => {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const preferred = PREFERRED.filter((name) => names.has(name));
  const others = [...names].filter(
    (name) => !PREFERRED.includes(name) && rows.every((row) => typeof row[name] !== 'object' || row[name] === null),
  );
  return [...preferred, ...others].slice(0, MAX_COLUMNS);
};

const tableOf = (entries: readonly unknown[], columns: readonly string[] | undefined): string => {
  const rows = entries.map(record);
  const names = columns ?? columnsOf(rows);
  const lines = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};

const membersOf = (value: unknown): string => {
  const members = Object.entries(record(value));
  const width = Math.max(0, ...members.map(([name]) => name.length));
  return members.map(([name, inner]) => `${`${name}:`.padEnd(width + 2)}${cellOf(inner)}\n`).join('');
};

const idOf = (value: unknown): string => {
  const { id, executionId, key, name } = record(value);
  return plainText(String(id ?? executionId ?? key ?? name ?? ''));
};

const yamlOf = (value: unknown): string => {
  const json: Json = JSON.parse(JSON.stringify(value ?? null));
  return toYaml(json);
};

/** Prints to stdout in this format. */
export const printer = (io: Io, format: Format, quiet: boolean): Printer => ({
  format,
  quiet,
  list: (entries, columns) => {
    if (quiet) return entries.forEach((entry) => io.out(`${idOf(entry)}\n`));
    if (format === 'table') return io.out(tableOf(entries, columns));
    if (format === 'yaml') return io.out(yamlOf(entries));
    if (format === 'json') return io.out(`${plainJson(entries, 2)}\n`);
    return entries.forEach((entry) => io.out(`${plainJson(entry)}\n`));
  },
  one: (value) => {
    if (quiet) return io.out(`${idOf(value)}\n`);
    if (format === 'table') return io.out(membersOf(value));
    if (format === 'yaml') return io.out(yamlOf(value));
    return io.out(`${plainJson(value, format === 'json' ? 2 : undefined)}\n`);
  },
});
