import type { JsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { alasqlText } from '@weft/sandbox';
import { readReport } from '../code/read-report';
import { stopFailure } from '../code/stop-failure';
import { programInput } from '../shared/program-input';

/** Tables, which the query knows as `input1`, `input2` and so on, and the query with the values of its `?`. */
export interface SqlQuery {
  readonly tables: JsonObject[][];
  readonly query: string;
  readonly parameters: (string | number | boolean | null)[];
}

/** An error of the query itself. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}

/** Limit in characters of the tables as JSON. */
const MAX_INPUT = 16_000_000;

const BEFORE_ENGINE = `(async function () {
const module = { exports: {} };
const exports = module.exports;
(function (define, require, process) {`;
/** AlaSQL knows sources and targets in files and at addresses, which fail silently where there are none. */
const AFTER_ENGINE = `
}).call({});
const alasql = module.exports;
const refuse = () => { throw new Error('A query cannot read or write files and addresses.'); };
for (const name of Object.keys(alasql.from)) if (name !== 'RANGE') alasql.from[name] = refuse;
for (const name of Object.keys(alasql.into)) alasql.into[name] = refuse;
const { tables, query, parameters } = items[0].json;
const database = new alasql.Database('merge');
tables.forEach((rows, index) => {
  database.exec('CREATE TABLE input' + (index + 1));
  database.tables['input' + (index + 1)].data = rows;
});
const found = database.exec(query, parameters);
return (Array.isArray(found) ? found : [found]).flat().filter((row) => typeof row === 'object' && row !== null);
})`;

let text: string | undefined;

/** The program with its engine; a process of code compiles it once. */
function programText(): string {
  text ??= `${BEFORE_ENGINE}${alasqlText()}${AFTER_ENGINE}`;
  return text;
}

/**
 * Runs a query with AlaSQL, the engine of n8n's Merge, in the sealed process of the workflow's owner: AlaSQL compiles a
 * query to JavaScript, so a query can do what code can.
 * @returns the rows of all statements
 * @throws QueryError if the query is wrong
 * @throws NodeFailure if it exceeds a limit
 */
export async function runQuery(context: NodeContext, query: SqlQuery): Promise<readonly JsonObject[]> {
  const input = JSON.stringify(programInput({ ...query }, context.timezone));
  if (input.length > MAX_INPUT)
    throw new NodeFailure(`The items are too large for a query: together they may have ${MAX_INPUT} characters`, {
      description: 'Reduce the items or fields in the nodes before this one.',
    });
  const answer = await context.ports.code.run({ code: programText(), input, signal: context.signal });
  if (answer.kind === 'stopped') throw stopFailure(answer.reason, 'query');
  const { error, value } = readReport(answer.report);
  if (error !== undefined) throw new QueryError(error.message);
  return Array.isArray(value?.value) ? value.value : [];
}
