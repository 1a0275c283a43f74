import { isPart, type JsonPart, partAt, textsAt } from './json-parts';

/** One way data go: what a client sends, or what it gets. */
type Way = 'sent' | 'got';

/** The schema in "this schema, or null"; undefined for all others. */
const nullableOf = (schema: JsonPart | undefined): unknown => {
  const choices: unknown = schema?.['oneOf'];
  if (!Array.isArray(choices) || choices.length !== 2) return undefined;
  return partAt(choices[1])?.['type'] === 'null' ? choices[0] : undefined;
};

/** Follows a reference to a component. A component that may be null is like an inline schema that may. */
const resolved = (document: JsonPart, schema: unknown): JsonPart | undefined => {
  const name = /^#\/components\/(\w+)\/([\w-]+)$/.exec(String(partAt(schema)?.['$ref']));
  if (name !== null) return partAt(document, 'components', name[1] ?? '', name[2] ?? '');
  const part = partAt(schema);
  const inner = nullableOf(part);
  const found = inner === undefined ? undefined : resolved(document, inner);
  return found === undefined ? part : { ...found, type: [found['type'], 'null'] };
};

const MAX_DEPTH = 12;

/**
 * Changes that break clients made from the old document: an operation, status, field or enum value that was removed, a
 * field or parameter that is now required, and an enum value that a client may no longer send or does not know.
 */
export const breaks = (before: JsonPart, after: JsonPart): readonly string[] => {
  const compare = (one: unknown, other: unknown, at: string, way: Way, depth = 0): readonly string[] => {
    const was = resolved(before, one);
    const is = resolved(after, other);
    if (was === undefined || depth > MAX_DEPTH) return [];
    if (is === undefined) return [`${at} is gone`];
    const [oldType, newType] = [JSON.stringify(was['type']), JSON.stringify(is['type'])];
    const types = oldType === newType ? [] : [`${at} was ${oldType} and is ${newType}`];
    const [oldWords, newWords] = [textsAt(was, 'enum'), textsAt(is, 'enum')];
    const words =
      way === 'sent'
        ? newWords.length === 0
          ? []
          : oldWords.filter((word) => !newWords.includes(word)).map((word) => `${at} no longer takes ${word}`)
        : oldWords.length === 0
          ? []
          : newWords.filter((word) => !oldWords.includes(word)).map((word) => `${at} may be ${word}`);
    const [oldRequired, newRequired] = [textsAt(was, 'required'), textsAt(is, 'required')];
    const required =
      way === 'sent'
        ? newRequired.filter((name) => !oldRequired.includes(name)).map((name) => `${at}.${name} is required now`)
        : oldRequired.filter((name) => !newRequired.includes(name)).map((name) => `${at}.${name} may be missing now`);
    const fields = Object.entries(partAt(was, 'properties') ?? {}).flatMap(([name, field]) =>
      compare(field, partAt(is, 'properties')?.[name], `${at}.${name}`, way, depth + 1),
    );
    const items = was['items'] === undefined ? [] : compare(was['items'], is['items'], `${at}[]`, way, depth + 1);
    return [...types, ...words, ...required, ...fields, ...items];
  };
  const bodyOf = (part: unknown): unknown => partAt(part, 'content', 'application/json')?.['schema'];
  // The names of path parameters are not part of a request: only their order counts, which the path has.
  const parametersOf = (operation: JsonPart): readonly JsonPart[] =>
    Array.isArray(operation['parameters'])
      ? operation['parameters'].filter(isPart).filter((parameter) => parameter['in'] !== 'path')
      : [];
  const compareOperations = (one: JsonPart, other: JsonPart, at: string): readonly string[] => {
    const news = parametersOf(other);
    const same = (parameter: JsonPart) =>
      news.find((found) => found['name'] === parameter['name'] && found['in'] === parameter['in']);
    const olds = parametersOf(one);
    const isKnown = (parameter: JsonPart): boolean =>
      olds.some((found) => found['name'] === parameter['name'] && found['in'] === parameter['in']);
    return [
      ...(one['operationId'] === other['operationId'] ? [] : [`${at} has another operationId`]),
      ...olds.flatMap((parameter) =>
        compare(parameter['schema'], same(parameter)?.['schema'], `${at} ${String(parameter['name'])}`, 'sent'),
      ),
      ...news
        .filter((parameter) => parameter['required'] === true && !isKnown(parameter))
        .map((parameter) => `${at} ${String(parameter['name'])} is required now`),
      ...compare(bodyOf(one['requestBody']), bodyOf(other['requestBody']), `${at} body`, 'sent'),
      // An operation may be refused for a new reason, or no longer for an old one.
      ...Object.entries(partAt(one, 'responses') ?? {}).flatMap(([status, response]) => {
        if (Number(status) >= 400) return [];
        const now = partAt(other, 'responses')?.[status];
        if (now === undefined) return [`${at} no longer answers ${status}`];
        return compare(bodyOf(resolved(before, response)), bodyOf(resolved(after, now)), `${at} ${status}`, 'got');
      }),
    ];
  };
  const address = (path: string): string => path.replace(/\{\w+\}/g, '{}');
  const pathsNow = new Map(Object.entries(partAt(after, 'paths') ?? {}).map(([path, is]) => [address(path), is]));
  return Object.entries(partAt(before, 'paths') ?? {}).flatMap(([path, methods]) =>
    Object.entries(partAt(methods) ?? {}).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const now = partAt(pathsNow.get(address(path)), method);
      const was = partAt(operation);
      if (was === undefined) return [];
      return now === undefined ? [`${at} is gone`] : compareOperations(was, now, at);
    }),
  );
};
