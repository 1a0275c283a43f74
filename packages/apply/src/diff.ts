import { isList, isObject, isSame, type Json, type JsonObject } from './json';

/** One difference between two definitions. */
export interface Difference {
  /** Such as `nodes["Call"].parameters.url`, `links` or `settings.timezone`. */
  readonly path: string;
  /** Undefined: added. */
  readonly before: Json | undefined;
  /** Undefined: removed. */
  readonly after: Json | undefined;
}

/** What to compare. */
export interface DiffOptions {
  /** Show where nodes are on the canvas, too. Otherwise only the number of moved nodes. */
  readonly positions: boolean;
}

const MAX_DIFFERENCES = 10_000;

const member = (path: string, key: string): string =>
  /^[A-Za-z_$][\w$]{0,200}$/.test(key) ? `${path}${path === '' ? '' : '.'}${key}` : `${path}[${JSON.stringify(key)}]`;

const compare = (path: string, before: Json | undefined, after: Json | undefined): readonly Difference[] => {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) =>
      compare(
        member(path, key),
        Object.hasOwn(before, key) ? before[key] : undefined,
        Object.hasOwn(after, key) ? after[key] : undefined,
      ),
    );
  }
  if (isList(before) && isList(after) && before.length === after.length)
    return before.flatMap((entry, index) => compare(`${path}[${index}]`, entry, after[index]));
  // Lists of different lengths, values without members, or values of different types.
  return before === after ? [] : [{ path, before, after }];
};

/** Differences of two objects by path. */
export const diffJson = (before: JsonObject, after: JsonObject): readonly Difference[] =>
  compare('', before, after).slice(0, MAX_DIFFERENCES);

const nodesOf = ({ nodes }: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    (isList(nodes) ? nodes : []).flatMap((node) => (isObject(node) ? [[String(node['name']), node] as const] : [])),
  );

const endOf = ({ node, type = 'main', index = 0 }: JsonObject): string =>
  `${String(node)} ${String(type)}:${Number(index)}`;

/** Links as `A main:0 -> B main:0`, whatever the nesting of lists. */
const linksOf = ({ connections }: JsonObject): readonly string[] =>
  !isObject(connections)
    ? []
    : Object.entries(connections).flatMap(([from, types]) =>
        Object.entries(isObject(types) ? types : {}).flatMap(([type, outputs]) =>
          (isList(outputs) ? outputs : []).flatMap((ends, output) =>
            (isList(ends) ? ends : []).flatMap((end) =>
              isObject(end) ? [`${from} ${type}:${output} -> ${endOf(end)}`] : [],
            ),
          ),
        ),
      );

const without = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const diffNodes = (before: JsonObject, after: JsonObject, { positions }: DiffOptions): readonly Difference[] => {
  const olds = nodesOf(before);
  const news = nodesOf(after);
  const hidden = positions ? ['id'] : ['id', 'position'];
  const each = [...new Set([...olds.keys(), ...news.keys()])].flatMap((name) => {
    const path = `nodes[${JSON.stringify(name)}]`;
    const old = olds.get(name);
    const now = news.get(name);
    if (old === undefined || now === undefined) return [{ path, before: old, after: now }];
    return compare(path, without(old, ...hidden), without(now, ...hidden));
  });
  const moved = [...olds].filter(([name, old]) => {
    const now = news.get(name);
    return now !== undefined && !isSame(old['position'], now['position']);
  });
  const order = [...olds.keys()].filter((name) => news.has(name));
  const orderNow = [...news.keys()].filter((name) => olds.has(name));
  return [
    ...each,
    ...(moved.length === 0 || positions
      ? []
      : [{ path: 'positions', before: null, after: `${moved.length} nodes moved` }]),
    ...(isSame(order, orderNow) ? [] : [{ path: 'order of nodes', before: order, after: orderNow }]),
  ];
};

const diffLinks = (before: JsonObject, after: JsonObject): readonly Difference[] => {
  const olds = linksOf(before);
  const news = linksOf(after);
  const known = new Set(olds);
  const kept = new Set(news);
  return [
    ...olds.filter((link) => !kept.has(link)).map((link) => ({ path: 'links', before: link, after: undefined })),
    ...news.filter((link) => !known.has(link)).map((link) => ({ path: 'links', before: undefined, after: link })),
  ];
};

/**
 * Differences of two definitions as a reader of workflows sees them: nodes by name, links by their ends, other
 * members by path. Ids of nodes are not compared.
 */
export const diffDefinitions = (
  before: JsonObject,
  after: JsonObject,
  options: DiffOptions = { positions: false },
): readonly Difference[] => {
  const parts = [
    ...compare('', without(before, 'nodes', 'connections'), without(after, 'nodes', 'connections')),
    ...diffNodes(before, after, options),
    ...diffLinks(before, after),
  ];
  // Such as empty lists of links, which have no effect.
  const rest = parts.length > 0 ? [] : compare('connections', before['connections'], after['connections']);
  return [...parts, ...rest].slice(0, MAX_DIFFERENCES);
};

const shown = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
};

/** Lines that differ between two strings, without the equal ones at both ends. */
const changedLines = (before: string, after: string): readonly string[] => {
  const olds = before.split('\n');
  const news = after.split('\n');
  const shorter = Math.min(olds.length, news.length);
  let start = 0;
  while (start < shorter && olds[start] === news[start]) start += 1;
  let end = 0;
  while (end < shorter - start && olds[olds.length - 1 - end] === news[news.length - 1 - end]) end += 1;
  return [
    `    @@ line ${start + 1}`,
    ...olds.slice(start, olds.length - end).map((line) => `    - ${line}`),
    ...news.slice(start, news.length - end).map((line) => `    + ${line}`),
  ];
};

/** Differences as lines: `+` added, `-` removed, `~` changed. Changed strings of several lines are shown by line. */
export const textOfDifferences = (differences: readonly Difference[]): readonly string[] =>
  differences.flatMap(({ path, before, after }) => {
    if (before === undefined) return [`  + ${path}: ${shown(after ?? null)}`];
    if (after === undefined) return [`  - ${path}: ${shown(before)}`];
    if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
      return [`  ~ ${path}`, ...changedLines(before, after)];
    return path === 'positions' ? [`  ~ ${String(after)}`] : [`  ~ ${path}: ${shown(before)} -> ${shown(after)}`];
  });
