import type { SqlStatement, SqlValue } from '@weft/outbound';
import { toJson } from '@weft/expressions';
import type { Dialect } from './dialect';

/** Builds one statement from fixed text, quoted names and bound values. */
export class StatementBuilder {
  #text = '';
  readonly #values: SqlValue[] = [];

  constructor(private readonly dialect: Dialect) {}

  /** Appends text that is a constant of the program, never from a workflow. */
  sql(text: string): this {
    this.#text += text;
    return this;
  }

  name(name: string): this {
    return this.sql(this.dialect.quote(name));
  }

  names(names: readonly string[]): this {
    return this.list(names, (name) => this.name(name));
  }

  value(value: unknown): this {
    this.#values.push(sqlValue(value));
    return this.sql(this.dialect.placeholder(this.#values.length));
  }

  /** Appends the entries separated by commas or another separator. */
  list<Entry>(entries: readonly Entry[], add: (entry: Entry) => void, separator = ', '): this {
    for (const [index, entry] of entries.entries()) {
      if (index > 0) this.sql(separator);
      add(entry);
    }
    return this;
  }

  statement(): SqlStatement {
    return { text: this.#text, values: this.#values };
  }
}

/** The bound form of a workflow's value: objects and arrays as JSON, dates as ISO strings. */
export function sqlValue(value: unknown): SqlValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const json = toJson(value) ?? null;
  return typeof json === 'object' && json !== null ? JSON.stringify(json) : json;
}
