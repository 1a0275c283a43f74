import { isObject, type JsonObject, type ListedWorkflow } from '@weft/apply';
import type { Weft } from '@weft/client';
import { CONCURRENT, type Filter } from './load-plan';
import { inParallel } from './in-parallel';

/** Above this number, pages of whole workflows take fewer requests. */
const FEW = 10;

const withoutServiceFields = (stored: JsonObject): JsonObject => {
  const { id: _id, active: _active, createdAt: _created, updatedAt: _updated, ...definition } = stored;
  return definition;
};

/** The definition of a workflow as it is stored. */
export const definitionOf = async (weft: Weft, id: string): Promise<JsonObject> => {
  const { body } = await weft.request('GET', '/workflows/{id}', { path: { id } });
  const data = isObject(body) ? body['data'] : undefined;
  return isObject(data) ? withoutServiceFields(data) : {};
};

/** The definitions of these workflows, in their order; empty for one that was deleted meanwhile. */
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
