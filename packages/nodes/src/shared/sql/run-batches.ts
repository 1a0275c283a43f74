import type { JsonObject } from '@weft/node-catalogue';
import type { Item, NodeContext, NodeFailure } from '@weft/engine';
import type { SqlResult, SqlSession, SqlStatement } from '@weft/outbound';
import { pairedWith } from '../each-item';
import { jsonOfRow } from './json-of-row';
import { databaseFailure } from './sql-failure';

/** The query of one item. */
export interface ItemQuery {
  readonly itemIndex: number;
  readonly statements: readonly SqlStatement[];
  /** True if it only reads: without rows there is no output item. */
  readonly isQuiet: boolean;
}

/** How the queries of all items are run: together, independently, or in one transaction. */
export const BATCHING = ['single', 'independently', 'transaction'] as const;

export type Batching = (typeof BATCHING)[number];

/** Differences between the node types. */
export interface BatchRules {
  readonly batching: Batching;
  /** True if the server runs all statements of one query string atomically. */
  readonly singleIsAtomic: boolean;
  /** Converts the results of a query to output; rows by default. */
  readonly show?: (query: ItemQuery, results: readonly SqlResult[]) => JsonObject[];
  /** Output item for a failed one. */
  readonly errorItem: (failure: NodeFailure, query: ItemQuery) => JsonObject;
}

type Ran = readonly [ItemQuery, JsonObject[]];

/** Runs the queries of all items. @throws NodeFailure for the first failure, unless the node continues on failure */
export function runBatches(
  context: NodeContext,
  session: SqlSession,
  queries: readonly ItemQuery[],
  rules: BatchRules,
): Promise<Item[]> {
  if (queries.length === 0) return Promise.resolve([]);
  if (rules.batching === 'independently') return runIndependently(context, session, queries, rules);
  return rules.batching === 'single'
    ? runTogether(context, session, queries, rules)
    : runInTransaction(context, session, queries, rules);
}

async function runTogether(
  context: NodeContext,
  session: SqlSession,
  queries: readonly ItemQuery[],
  rules: BatchRules,
): Promise<Item[]> {
  const isOne = queries.length === 1 && queries[0]?.statements.length === 1;
  const ran: Ran[] = [];
  try {
    const work = async (): Promise<void> => {
      for (const query of queries) ran.push([query, await runQuery(session, query, rules)]);
    };
    await (rules.singleIsAtomic && !isOne ? inTransaction(session, work) : work());
  } catch (thrown) {
    const failure = failureOf(context, thrown, queries[ran.length]?.itemIndex);
    return [{ json: { message: failure.message, error: errorOf(failure) } }];
  }
  const items = ran.flatMap(([query, made]) =>
    pairedWith(
      query.itemIndex,
      made.map((json) => ({ json })),
    ),
  );
  if (items.length > 0 || queries.every(({ isQuiet }) => isQuiet)) return items;
  return [{ json: { success: true }, pairedItem: queries.map(({ itemIndex }) => ({ item: itemIndex })) }];
}

async function runIndependently(
  context: NodeContext,
  session: SqlSession,
  queries: readonly ItemQuery[],
  rules: BatchRules,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const query of queries) {
    try {
      items.push(...itemsOf(query, await runQuery(session, query, rules)));
    } catch (thrown) {
      const failure = failureOf(context, thrown, query.itemIndex);
      items.push(...pairedWith(query.itemIndex, [{ json: rules.errorItem(failure, query) }]));
    }
  }
  return items;
}

async function runInTransaction(
  context: NodeContext,
  session: SqlSession,
  queries: readonly ItemQuery[],
  rules: BatchRules,
): Promise<Item[]> {
  const items: Item[] = [];
  let current: ItemQuery | undefined;
  try {
    await inTransaction(session, async () => {
      for (const query of queries) {
        current = query;
        items.push(...itemsOf(query, await runQuery(session, query, rules)));
      }
    });
  } catch (thrown) {
    const failure = failureOf(context, thrown, current?.itemIndex);
    if (current !== undefined)
      items.push(...pairedWith(current.itemIndex, [{ json: rules.errorItem(failure, current) }]));
  }
  return items;
}

async function inTransaction(session: SqlSession, work: () => Promise<void>): Promise<void> {
  const say = (text: string): Promise<unknown> => session.run({ text, values: [] });
  await say('BEGIN');
  try {
    await work();
  } catch (thrown) {
    // If the connection is lost, the server rolls back.
    await say('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
  await say('COMMIT');
}

async function runQuery(session: SqlSession, query: ItemQuery, rules: BatchRules): Promise<JsonObject[]> {
  const results: SqlResult[] = [];
  for (const statement of query.statements) results.push(...(await session.run(statement)));
  return rules.show?.(query, results) ?? results.flatMap(({ rows }) => rows.map(jsonOfRow));
}

function itemsOf(query: ItemQuery, made: readonly JsonObject[]): Item[] {
  const shown = made.length > 0 || query.isQuiet ? made : [{ success: true }];
  return pairedWith(
    query.itemIndex,
    shown.map((json) => ({ json })),
  );
}

/** @throws NodeFailure if the node does not continue on failure, or the run is being stopped */
function failureOf(context: NodeContext, thrown: unknown, itemIndex: number | undefined): NodeFailure {
  const failure = databaseFailure(thrown, itemIndex);
  if (context.signal.aborted || !context.continueOnFail) throw failure;
  return failure;
}

/** A failure as JSON. */
export function errorOf({ message, description, context }: NodeFailure): JsonObject {
  return { message, ...(description === undefined ? {} : { description }), ...context };
}
