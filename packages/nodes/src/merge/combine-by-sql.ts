import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure, type PairedItem } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { choiceParameter } from '../shared/read-parameter';
import { queryText } from '../shared/sql/query-text';
import { pairedInputs, pairedWith } from './paired-inputs';
import { QueryError, runQuery, type SqlQuery } from './sql-program';

type Parameter = SqlQuery['parameters'][number];

/** Columns with this name at their beginning link a row to its items, as in n8n. */
const LINK = 'pairedItem';

/**
 * The rows that a query over the inputs returns, as items. From version 3.1 on, the row of a SELECT has links to its
 * items, if they can be added to the query; otherwise each row has links to all items.
 * @throws NodeFailure if the query is wrong or exceeds a limit
 */
export async function combineBySql(context: NodeContext, count: number): Promise<Item[]> {
  const inputs = pairedInputs(context, count);
  const query = queryText(context, 0);
  const parameters = readParameters(context);
  const items =
    (context.version >= 3.1 ? await linkedRows(context, inputs, query, parameters) : undefined) ??
    (await plainRows(context, inputs, query, parameters));
  if (items.length > 0 || !givesSuccess(context)) return items;
  return [{ json: { success: true }, pairedItem: pairedWith(inputs.flat()) }];
}

/** Undefined if it is no SELECT, or cannot be extended by links. */
async function linkedRows(
  context: NodeContext,
  inputs: readonly (readonly Item[])[],
  query: string,
  parameters: Parameter[],
): Promise<Item[] | undefined> {
  if (!query.toLowerCase().startsWith('select')) return undefined;
  const tables = inputs.map((items, input) =>
    items.map(({ json }, item): JsonObject => ({ ...json, [LINK]: { item, input } })),
  );
  try {
    const rows = await runQuery(context, { tables, query: withLinks(query, inputs.length), parameters });
    return rows.map(itemOfRow);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

async function plainRows(
  context: NodeContext,
  inputs: readonly (readonly Item[])[],
  query: string,
  parameters: Parameter[],
): Promise<Item[]> {
  const pairedItem = pairedWith(inputs.flat());
  try {
    const tables = inputs.map((items) => items.map(({ json }) => json));
    const rows = await runQuery(context, { tables, query, parameters });
    return rows.map((json) => ({ json, pairedItem }));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new NodeFailure('The SQL query failed', { description: error.message, cause: error });
  }
}

/** The query with a column for the link of each input that it names, unless it selects all columns. */
export function withLinks(query: string, inputs: number): string {
  const [start = '', columns = '', rest = ''] = partsOf(query);
  if (columns === '' || columns === '*' || columns.includes('\n')) return query;
  const links = Array.from({ length: inputs }, (_, index) => index + 1)
    .filter((number) => query.includes(`input${number}`))
    .map((number) => `input${number}.${LINK} AS ${LINK}${number}`);
  return [start, [columns, ...links].join(', '), rest].join(' ');
}

/** `SELECT`, its columns, and the rest from `FROM` on. */
function partsOf(query: string): readonly string[] {
  const start = query.slice(0, 'select'.length);
  const from = /\sfrom/i.exec(query)?.index;
  return from === undefined ? [] : [start, query.slice(start.length, from).trim(), query.slice(from).trim()];
}

function itemOfRow(row: JsonObject): Item {
  const isLink = (name: string): boolean => name.startsWith(LINK);
  const fields = Object.entries(row);
  const links = fields.flatMap(([name, value]) => (isLink(name) ? linksOf(value) : []));
  return { json: Object.fromEntries(fields.filter(([name]) => !isLink(name))), pairedItem: links };
}

/** A query can return anything under the name of a link. */
function linksOf(value: Json): readonly PairedItem[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (!isJsonObject(value)) return [];
  const { item, input } = value;
  if (!isIndex(item)) return [];
  return [isIndex(input) && input > 0 ? { item, input } : { item }];
}

const isIndex = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** Values of the `?` of the query: a list, or comma-separated strings; what looks like a number is one. */
function readParameters(context: NodeContext): Parameter[] {
  const given = toJson(context.parameter('options.queryParameters', 0));
  if (given === undefined || given === null || given === '') return [];
  if (typeof given === 'number') return [given];
  if (typeof given === 'string') return given.split(',').map((one) => numberOrText(one.trim()));
  if (Array.isArray(given)) return given.map(scalar);
  throw new NodeFailure('The query parameters must be a text, a number or a list');
}

function numberOrText(text: string): Parameter {
  const value = Number(text);
  return text === '' || Number.isNaN(value) ? text : value;
}

function scalar(value: Json, index: number): Parameter {
  if (value === null || typeof value !== 'object') return value;
  throw new NodeFailure(`Query parameter ${index + 1} must be a text, a number, a boolean or null`);
}

function givesSuccess(context: NodeContext): boolean {
  if (context.version < 3.2) return true;
  return choiceParameter(context, 'options.emptyQueryResult', 0, ['success', 'empty'], 'empty') === 'success';
}
