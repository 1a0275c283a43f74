import type { SqlStatement } from '@weft/outbound';
import { NodeFailure } from '@weft/engine';
import type { Dialect } from './dialect';
import { scanSql, splitStatements } from './scan-sql';
import { StatementBuilder } from './statement';

/** A placeholder: `$1`, or with a modifier: `$1:name`. `$` within a name does not count. */
const PLACEHOLDER = /(?<![\w$])\$(\d{1,5})(?!\d)(?::(name|alias|csv|list|json|value|raw)\b|([~^#]))?/g;

const FORMS: Readonly<Record<string, string>> = { '~': 'name', alias: 'name', list: 'csv', '^': 'raw', '#': 'value' };

/**
 * The statements of a workflow's query, with the values for `$1`, `$2` … in them. Values are bound by number;
 * `$1:name` becomes a quoted name, `$1:csv` one bound value per entry of an array. Placeholders within quotes and
 * comments are plain text. A query without values is not split.
 * @throws NodeFailure for a placeholder without a value, and for forms that would put a value into the query text
 */
export function bindParameters(
  query: string,
  values: readonly unknown[],
  dialect: Dialect,
  itemIndex: number,
): SqlStatement[] {
  if (values.length === 0) return [{ text: query, values: [] }];
  return splitStatements(query, dialect).map((statement) => {
    const builder = new StatementBuilder(dialect);
    for (const part of scanSql(statement, dialect)) {
      if (part.kind === 'code') bindCode(builder, part.text, values, itemIndex);
      else builder.sql(part.text);
    }
    return builder.statement();
  });
}

function bindCode(builder: StatementBuilder, code: string, values: readonly unknown[], itemIndex: number): void {
  let done = 0;
  for (const match of code.matchAll(PLACEHOLDER)) {
    const [text, number = '', word, mark] = match;
    builder.sql(code.slice(done, match.index));
    done = match.index + text.length;
    if (Number(number) < 1 || Number(number) > values.length)
      throw new NodeFailure(`The query uses $${number}, but the number of query parameters is ${values.length}`, {
        itemIndex,
      });
    const value = values[Number(number) - 1];
    const given = word ?? mark ?? '';
    addValue(builder, value, FORMS[given] ?? given, { text, itemIndex });
  }
  builder.sql(code.slice(done));
}

function addValue(
  builder: StatementBuilder,
  value: unknown,
  form: string,
  { text, itemIndex }: { readonly text: string; readonly itemIndex: number },
): void {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (form === 'name') builder.names(entries.map(String));
  else if (form === 'csv') builder.list(entries, (entry) => builder.value(entry));
  else if (form === 'json') builder.value(JSON.stringify(value ?? null));
  else if (form === '') builder.value(value);
  else
    throw new NodeFailure(`${text} would make the value a part of the query, which is not supported`, {
      itemIndex,
      description: 'Use $1 for values, $1:name for names, or an expression in the query.',
    });
}
