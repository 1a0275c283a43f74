import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { NodeDefinition } from './definition';
import type { Conditions, GroupDescriptor, KindDescriptor, ParameterDescriptor } from './descriptor';
import { inVersions } from './descriptor';

/** Kinds whose versions are separate implementations in n8n, where an unlisted version does not run either. */
const SEPARATE_VERSIONS: ReadonlySet<string> = new Set([
  'awsS3',
  'dateTime',
  'emailReadImap',
  'emailSend',
  'filter',
  'formTrigger',
  'gmail',
  'googleDrive',
  'googleSheets',
  'httpRequest',
  'if',
  'itemLists',
  'merge',
  'mySql',
  'postgres',
  'removeDuplicates',
  'set',
  'slack',
  'splitInBatches',
  'spreadsheetFile',
  'switch',
]);

/** True if a node of the kind can have any version number, because all versions are one implementation. */
function takesAnyVersion({ kind, toolOf = kind }: KindDescriptor): boolean {
  return !SEPARATE_VERSIONS.has(toolOf);
}

/**
 * The version of a node: its own, or the newest of the kind if it has none. A kind with one implementation takes any
 * number, which counts as the nearest version below it.
 */
export function versionOf(node: Pick<NodeDefinition, 'typeVersion'>, descriptor: KindDescriptor): number {
  const { versions } = descriptor;
  const { typeVersion = versions.at(-1) ?? 1 } = node;
  if (versions.includes(typeVersion) || !takesAnyVersion(descriptor)) return typeVersion;
  return versions.findLast((version) => version <= typeVersion) ?? versions[0] ?? 1;
}

/** The objects in which conditions of a parameter are looked up. */
export interface ParameterScope {
  /** Top-level parameters of the node. */
  readonly root: JsonObject;
  readonly rootDescriptors: readonly ParameterDescriptor[];
  /** The object that the parameter is a field of; the root itself at the top. */
  readonly own: JsonObject;
  readonly ownDescriptors: readonly ParameterDescriptor[];
  readonly version: number;
}

/** The scope of a node's top-level parameters. */
export function rootScope(parameters: JsonObject, descriptor: KindDescriptor, version: number): ParameterScope {
  return {
    root: parameters,
    rootDescriptors: descriptor.parameters,
    own: parameters,
    ownDescriptors: descriptor.parameters,
    version,
  };
}

/** The scope of the fields of a nested object. */
export function nestedScope(
  scope: ParameterScope,
  own: JsonObject,
  ownDescriptors: readonly ParameterDescriptor[],
): ParameterScope {
  return { ...scope, own, ownDescriptors };
}

/**
 * True if a parameter counts for this node: its version and the values it depends on match. An expression may have any
 * value, so it matches every condition.
 */
export function isShown(descriptor: ParameterDescriptor, scope: ParameterScope): boolean {
  if (!inVersions(descriptor, scope.version)) return false;
  return holds(descriptor.shownWhen, scope, true) && !holds(descriptor.hiddenWhen, scope, false);
}

/** True if a string is an expression, to be resolved for each item. */
export function isExpression(value: Json | undefined): boolean {
  return typeof value === 'string' && value.startsWith('=') && value.includes('{{');
}

/** The value of a resource locator `{ mode, value }`; any other value itself. */
export function locatedValue(value: Json): Json;
export function locatedValue(value: Json | undefined): Json | undefined;
export function locatedValue(value: Json | undefined): Json | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'mode') || !Object.hasOwn(value, 'value')) return value;
  return value['value'];
}

/** A string as it counts where no expression can be resolved: a leading `=` without any `{{ }}` means plain text. */
export function plainText(value: string): string {
  return value.startsWith('=') && !value.includes('{{') ? value.slice(1) : value;
}

/**
 * A stored value as it counts where no expression can be resolved, strings in lists and objects included: `=GET` is
 * `GET`. Expressions stay as they are.
 */
export function plainValue(value: Json): Json;
export function plainValue(value: Json | undefined): Json | undefined;
export function plainValue(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map((entry) => plainValue(entry));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainValue(entry)]));
}

/** The value of a top-level parameter or, if it is not set, its default. Expressions are not resolved. */
export function parameterOrDefault(
  parameters: JsonObject,
  descriptor: KindDescriptor,
  version: number,
  name: string,
): Json | undefined {
  return valueOf(name, parameters, descriptor.parameters, rootScope(parameters, descriptor, version));
}

/** The `plainValue` of a top-level parameter of a node, or of its default. */
export function plainParameter(
  node: Pick<NodeDefinition, 'parameters' | 'typeVersion'>,
  descriptor: KindDescriptor,
  name: string,
): Json | undefined {
  return plainValue(parameterOrDefault(node.parameters, descriptor, versionOf(node, descriptor), name));
}

/**
 * The default of the parameter that `path` leads to (`options.timeout`, `rules.values.output`), whatever the definition
 * states; undefined if the kind has none in this version. Of several forms at the top level, the one that is shown
 * counts.
 */
export function defaultAt(
  parameters: JsonObject,
  descriptor: KindDescriptor,
  version: number,
  path: string,
): Json | undefined {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  if (steps.length === 0) {
    const { [last]: _stated, ...others } = parameters;
    return parameterOrDefault(others, descriptor, version, last);
  }
  const named = (level: readonly Branch[], name: string): Branch[] =>
    level.filter((one) => one.name === name && (!('type' in one) || inVersions(one, version)));
  const level = steps.reduce<readonly Branch[]>(
    (above, step) => named(above, step).flatMap(below),
    descriptor.parameters,
  );
  return named(level, last)
    .map((one) => ('type' in one ? one.default : undefined))
    .find((value) => value !== undefined);
}

type Branch = ParameterDescriptor | GroupDescriptor;

function below(branch: Branch): readonly Branch[] {
  return 'type' in branch ? [...(branch.fields ?? []), ...(branch.groups ?? [])] : branch.fields;
}

/**
 * The top-level parameters of a node, with the defaults of those that apply and are not set. Expressions are not
 * resolved.
 */
export function parametersWithDefaults(
  parameters: JsonObject,
  descriptor: KindDescriptor,
  version: number,
): JsonObject {
  const scope = rootScope(parameters, descriptor, version);
  const counting = descriptor.parameters.filter(
    (one) => one.default !== undefined && !Object.hasOwn(parameters, one.name) && isShown(one, scope),
  );
  const defaults = Object.fromEntries(
    counting.map((one) => [one.name, parameterOrDefault(parameters, descriptor, version, one.name) ?? null]),
  );
  return { ...defaults, ...parameters };
}

function holds(conditions: Conditions | undefined, scope: ParameterScope, whenNone: boolean): boolean {
  if (conditions === undefined) return whenNone;
  const matches = ([name, allowed]: [string, readonly Json[]]): boolean => {
    const value = name.startsWith('/')
      ? valueOf(name.slice(1), scope.root, scope.rootDescriptors, scope)
      : valueOf(name, scope.own, scope.ownDescriptors, scope);
    return isExpression(value) ? whenNone : allowed.some((one) => one === plainValue(value));
  };
  const entries = Object.entries(conditions);
  return whenNone ? entries.every(matches) : entries.some(matches);
}

function valueOf(
  name: string,
  own: JsonObject,
  descriptors: readonly ParameterDescriptor[],
  scope: ParameterScope,
): Json | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  const candidates = descriptors.filter(
    (one) => one.name === name && one.default !== undefined && inVersions(one, scope.version),
  );
  if (candidates.length < 2) return candidates[0]?.default;
  // Several forms share the name: the one that is shown decides. Conditions are never circular; a test of the catalogue
  // checks that.
  return candidates.find((one) => isShown(one, scope))?.default ?? candidates[0]?.default;
}
