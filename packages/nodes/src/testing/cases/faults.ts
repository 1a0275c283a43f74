import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import type { CaseFile, CaseWorld, NodeCase } from './node-case';
import { isChoosing } from './operations';
import type { KindRun } from './run-kind';

/** A case with one input made hostile, oversized, missing or of another type. */
export interface Fault {
  /** Description of the change. */
  readonly name: string;
  readonly run: Omit<KindRun, 'version'>;
  readonly withFiles?: NodeCase['withFiles'];
}

/** A product that no message or item may contain: it appears if text from an item is evaluated. */
export const EVALUATED = String(1_111 * 1_111);
const PRODUCT = '1111*1111';
/** Text with a meaning in expressions, templates, SQL, HTTP, HTML, shells and file systems. */
const INJECTION =
  `={{ ${PRODUCT} }}{{ ${PRODUCT} }}\${${PRODUCT}}<%= ${PRODUCT} %>$1'; DROP TABLE t; --"\r\nX-Evil: 1\r\n\r\n` +
  '</script><script>`$(id)`\u0000../../../etc/passwd';
const LONG = 'x'.repeat(1_000_000);
/** Levels of nesting: the maximum for expressions, and for JSON from other systems. */
const [EXPRESSION_LEVELS, ITEM_LEVELS] = [400, 3_000];
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'a.b[0]["c"]',
  '../../etc/passwd',
  "x'; --",
  'a\r\nB: 1',
  '',
  '\0',
];
const FIELD = 'weftFault';

const nested = (levels: number): Json => {
  let value: Json = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

/** Values that replace a parameter, by description. */
const VALUES: readonly (readonly [name: string, value: Json])[] = [
  ['an array', [1, { a: [] }]],
  ['an object', { a: 1, length: 3 }],
  ['nothing', null],
  ['a negative fraction', -1.5],
  ['a huge number', 1e308],
  ['an empty string', ''],
  ['true', true],
  ['an injection', INJECTION],
  ['the name of a prototype', '__proto__'],
  ['a long string', LONG],
  ['deep data', nested(EXPRESSION_LEVELS)],
];

type Items = readonly JsonObject[];

const eachValue =
  (change: (value: Json) => Json) =>
  (items: Items): Items =>
    items.map((item) => Object.fromEntries(Object.keys(item).map((name) => [name, change(item[name] ?? null)])));

/** Changes to the items. */
const ITEMS: readonly (readonly [name: string, change: (items: Items) => Items])[] = [
  ['no items', () => []],
  ['empty items', (items) => items.map(() => ({}))],
  ['items with hostile names', (items) => items.map((item) => ({ ...item, ...hostileFields() }))],
  ['deep items', (items) => items.map((item) => ({ ...item, deep: nested(ITEM_LEVELS) }))],
  ['arrays in place of values', eachValue(() => [[], {}])],
  ['null in place of values', eachValue(() => null)],
  ['deep data in place of values', eachValue(() => nested(ITEM_LEVELS))],
  ['injections in place of values', eachValue(() => INJECTION)],
  ['long strings in place of values', eachValue(() => LONG)],
];

/** Own fields as in parsed JSON: a literal would set the prototype. */
function hostileFields(): JsonObject {
  const fields: JsonObject = JSON.parse(
    `{${NAMES.map((name) => `${JSON.stringify(name)}:${JSON.stringify({ polluted: INJECTION })}`).join(',')}}`,
  );
  return fields;
}

/** Changes to the files. */
const FILES: readonly (readonly [name: string, change: (content: Buffer) => Buffer])[] = [
  ['an empty file', () => Buffer.alloc(0)],
  ['half a file', (content) => content.subarray(0, Math.floor(content.length / 2))],
  ['noise in place of a file', () => Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7 + (at >> 3)) & 255))],
];

/** Number of values that each parameter gets in the newest version of a kind, and in older ones, which get others. */
const [NEWEST_VALUES, OLDER_VALUES] = [3, 1];

/** The faults of a case, for one of the versions of its kind. */
export function faultsOf(
  one: NodeCase,
  world: CaseWorld,
  version: number,
  versions: readonly number[],
): readonly Fault[] {
  const turn = versions.indexOf(version);
  const values = version === versions.at(-1) ? NEWEST_VALUES : OLDER_VALUES;
  const run = typeof one.run === 'function' ? one.run(world) : one.run;
  const files = one.withFiles === undefined ? {} : { withFiles: one.withFiles };
  return [
    ...parameterFaults(run, turn, values).map((fault) => ({ ...fault, ...files })),
    ...ITEMS.map(([name, change]) => ({ name, run: { ...run, ...changed(run, change) }, ...files })),
    { name: 'no parameters', run: { ...run, parameters: choosingOnly(run.parameters ?? {}) }, ...files },
    ...fileFaults(one.withFiles).map(([name, withFiles]) => ({ name, run, withFiles })),
  ];
}

/** The run with a value in each of its parameters in turn. The value comes from the item, as untrusted input does. */
export function eachPlace(run: Fault['run'], value: readonly [name: string, value: Json]): readonly Fault[] {
  const parameters = run.parameters ?? {};
  return placesIn(parameters).map((path) => placed(run, parameters, path, value));
}

function placesIn(parameters: JsonObject): readonly Path[] {
  return leavesOf(parameters).filter(([first]) => typeof first !== 'string' || !isChoosing(first));
}

function parameterFaults(run: Fault['run'], turn: number, count: number): readonly Fault[] {
  const parameters = run.parameters ?? {};
  return placesIn(parameters).flatMap((path, place) =>
    Array.from({ length: count }, (_, step) => VALUES[(turn + place + step) % VALUES.length]).flatMap((value) =>
      value === undefined ? [] : [placed(run, parameters, path, value)],
    ),
  );
}

/** The value comes from the item, as untrusted input does. */
function placed(run: Fault['run'], parameters: JsonObject, path: Path, [name, value]: readonly [string, Json]): Fault {
  const changedParameters = replaced(parameters, path, `={{ $json.${FIELD} }}`);
  return {
    name: `${path.join('.')}: ${name}`,
    run: {
      ...run,
      ...changed(run, (items) => items.map((item) => ({ ...item, [FIELD]: value }))),
      parameters: isJsonObject(changedParameters) ? changedParameters : {},
    },
  };
}

function changed(run: Fault['run'], change: (items: Items) => Items): Pick<KindRun, 'items' | 'inputs'> {
  return run.inputs === undefined ? { items: change(run.items ?? [{}]) } : { inputs: run.inputs.map(change) };
}

function choosingOnly(parameters: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => isChoosing(name)));
}

function fileFaults(files: Readonly<Record<string, CaseFile>> | undefined) {
  if (files === undefined) return [];
  return FILES.map(
    ([name, change]) =>
      [
        name,
        Object.fromEntries(
          Object.entries(files).map(([field, file]) => [
            field,
            { ...file, content: change(Buffer.from(file.content)) },
          ]),
        ),
      ] as const,
  );
}

type Path = readonly (string | number)[];

function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => leavesOf(entry, [...path, index]));
  if (isJsonObject(value)) return Object.keys(value).flatMap((name) => leavesOf(value[name] ?? null, [...path, name]));
  return [path];
}

function replaced(value: Json, [first, ...rest]: Path, leaf: Json): Json {
  if (first === undefined) return leaf;
  if (Array.isArray(value)) return value.map((entry, index) => (index === first ? replaced(entry, rest, leaf) : entry));
  return isJsonObject(value) ? { ...value, [first]: replaced(value[String(first)] ?? null, rest, leaf) } : value;
}
