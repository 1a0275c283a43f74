import { isObject, type JsonObject, type ListedWorkflow } from '@weft/apply';
import type { AnyResponse, Weft } from '@weft/client';
import { CONCURRENT, inParallel } from './in-parallel';
import type { Filter } from './list-summaries';

/** Above this number, pages of whole workflows take fewer requests. */
const FEW = 10;

const withoutServiceFields = (stored: JsonObject): JsonObject => {
  const { id: _id, active: _active, createdAt: _created, updatedAt: _updated, ...definition } = stored;
  return definition;
};

/** The object under `data` in a response; empty if the response has none. */
export const dataOf = ({ body }: AnyResponse): JsonObject =>
  isObject(body) && isObject(body['data']) ? body['data'] : {};

/** A stored workflow as JSON: its definition, `id`, `active` and times. */
export const readWorkflow = async (weft: Weft, id: string): Promise<JsonObject> =>
  dataOf(await weft.request('GET', '/workflows/{id}', { path: { id } }));

/** The definition of a stored workflow. */
export const definitionOf = async (weft: Weft, id: string): Promise<JsonObject> =>
  withoutServiceFields(await readWorkflow(weft, id));

/** The definitions of these workflows, in the same order; empty for a workflow that was deleted meanwhile. */
export const definitionsOf = async (
  weft: Weft,
  workflows: readonly ListedWorkflow[],
  filter: Filter,
): Promise<readonly JsonObject[]> => {
  if (workflows.length <= FEW) return inParallel(workflows, CONCURRENT, ({ id }) => definitionOf(weft, id));
  const wanted = new Set(workflows.map(({ id }) => id));
  const found = new Map<string, JsonObject>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = { limit: 100, ...filter, ...(cursor === '' ? {} : { cursor }) };
    const { body } = await weft.request('GET', '/workflows', { query });
    const data = isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isObject) : [];
    for (const stored of data) {
      const id = String(stored['id']);
      if (wanted.has(id)) found.set(id, withoutServiceFields(stored));
    }
    const next = isObject(body) ? body['nextCursor'] : null;
    cursor = typeof next === 'string' ? next : null;
  }
  return workflows.map(({ id }) => found.get(id) ?? {});
};
