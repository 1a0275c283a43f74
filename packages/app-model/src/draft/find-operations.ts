import { editDistance } from '@weft/node-catalogue';
import { type JsonObject, listField, textField } from '@weft/service-kit/json-values';
import { MAX_OPERATIONS } from '../checks/check-names';
import { oneLine } from './names';
import { DraftError, type OpenApi } from './read-openapi';
import type { References } from './references';

/** Methods of requests of apps, as OpenAPI writes them. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const;
const MAX_SUGGESTIONS = 5;
const MAX_SHOWN = 50;
const MAX_COMPARED = 100;

/** An operation of a document. */
export interface ApiOperation {
  /** `operationId`, or method and path for an operation without a unique one. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string | undefined;
  readonly content: JsonObject;
  /** Members that the operations of the path share. */
  readonly item: JsonObject;
}

/** The operations of a document, in its order. */
export function apiOperationsOf({ paths }: OpenApi, references: References): readonly ApiOperation[] {
  const taken = new Set<string>();
  return Object.entries(paths).flatMap(([path, value]) => {
    const item = references.resolve(value);
    if (item === undefined || !path.startsWith('/')) return [];
    return METHODS.flatMap((name): ApiOperation[] => {
      const content = references.resolve(item[name]);
      if (content === undefined) return [];
      const method = name.toUpperCase();
      const given = textField(content, 'operationId') ?? '';
      const id = given === '' || taken.has(given) ? `${method} ${path}` : given;
      taken.add(id);
      const tag = listField(content, 'tags').find((one) => typeof one === 'string');
      const summary = oneLine(textField(content, 'summary') ?? textField(content, 'description') ?? '');
      return [{ id, method, path, summary, tag, content, item }];
    });
  });
}

/**
 * The operations with these ids, in their order. Method and path are an id as well, such as `GET /users/{id}`.
 * @throws DraftError that names unknown ids, with those that were probably meant
 */
export function findOperations(all: readonly ApiOperation[], ids: readonly string[]): readonly ApiOperation[] {
  if (ids.length === 0) throw new DraftError(`Choose operations by --operation ID. ${shown(all)}`);
  const unique = [...new Set(ids)];
  if (unique.length > MAX_OPERATIONS)
    throw new DraftError(`An app has ${MAX_OPERATIONS} operations at most, and not ${unique.length}.`);
  const found = unique.map((id) => ({ id, operation: find(all, id) }));
  const problems = found.flatMap(({ id, operation }) =>
    operation === undefined ? [`The document has no operation "${oneLine(id)}".${suggestions(all, id)}`] : [],
  );
  if (problems.length > 0) throw new DraftError(problems.join('\n'));
  return [...new Set(found.flatMap(({ operation }) => operation ?? []))];
}

function find(all: readonly ApiOperation[], id: string): ApiOperation | undefined {
  const [, method = '', path] = /^(\w{1,10}) +(\/.*)$/s.exec(id.trim()) ?? [];
  return (
    all.find((one) => one.id === id) ?? all.find((one) => one.method === method.toUpperCase() && one.path === path)
  );
}

function suggestions(all: readonly ApiOperation[], id: string): string {
  const wanted = id.toLowerCase().slice(0, MAX_COMPARED);
  const near = all
    .map((one) => ({ id: one.id, distance: distance(one, wanted) }))
    .filter(({ distance: by }) => by <= Math.max(2, wanted.length / 3))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map((one) => oneLine(one.id));
  return near.length === 0 ? ' --list shows all.' : ` Did you mean ${near.join(', ')}?`;
}

function distance({ id, path }: ApiOperation, wanted: string): number {
  const own = id.toLowerCase().slice(0, MAX_COMPARED);
  if (wanted.length > 2 && (own.includes(wanted) || path.toLowerCase().includes(wanted))) return 0;
  return editDistance(own, wanted);
}

function shown(all: readonly ApiOperation[]): string {
  if (all.length === 0) return 'The document has none.';
  const lines = all.slice(0, MAX_SHOWN).map(({ id, method, path }) => `  ${oneLine(`${id} (${method} ${path})`)}`);
  const more = all.length > MAX_SHOWN ? [`  and ${all.length - MAX_SHOWN} more: --list shows all`] : [];
  return `The document has:\n${[...lines, ...more].join('\n')}`;
}
