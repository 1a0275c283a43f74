import {
  isExpression,
  isJsonObject,
  isShown,
  type Json,
  type JsonObject,
  type KindDescriptor,
  locatedValue,
  nestedScope,
  type ParameterDescriptor,
  type ParameterScope,
  rootScope,
} from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { RE2JS } from 're2js';

/** The parameters of a node for one item, as templates see them. */
export interface ItemParameters {
  /** `$p`: by name, with defaults; locators are their values. */
  readonly values: JsonObject;
  /** `$rl`: `{ mode }` of each locator. */
  readonly locators: JsonObject;
}

/** The parameter that ends lists of all apps, if it is a number. */
const LIMIT = 'limit';
/** Maximum number of characters of a locator from which a value is extracted. */
const MAX_LOCATOR = 2_000;

/** Where parameters are read from: a node run, or a node that does not run. */
export interface ParameterSource extends Pick<NodeContext, 'version' | 'parameter' | 'rawParameter'> {
  readonly node: Pick<NodeContext['node'], 'parameters'>;
}

/** Reads the parameters of a node. Those without expressions are read once for all items. */
export class ParameterReader {
  readonly #context: ParameterSource;
  readonly #scope: ParameterScope;
  readonly #shown: readonly ParameterDescriptor[];
  readonly #fixed = new Map<string, Json | undefined>();
  /** Compiled patterns of locators. */
  readonly #patterns = new Map<string, RE2JS>();

  constructor(context: ParameterSource, descriptor: KindDescriptor) {
    this.#context = context;
    this.#scope = rootScope(context.node.parameters, descriptor, context.version);
    const shown = descriptor.parameters.filter((one) => isShown(one, this.#scope));
    this.#shown = [...new Map(shown.reverse().map((one) => [one.name, one])).values()];
  }

  /**
   * @throws NodeFailure if an expression fails, or gives an object or a list where the kind declares text, or a locator
   * does not have the form of its mode, or if `limit` is not a number
   */
  read(itemIndex: number): ItemParameters {
    const values: Record<string, Json> = {};
    const locators: Record<string, Json> = {};
    for (const parameter of this.#shown) {
      const value = this.#value(parameter, itemIndex);
      if (parameter.type === 'resourceLocator') {
        const mode = isJsonObject(value) ? value['mode'] : undefined;
        locators[parameter.name] = { mode: typeof mode === 'string' ? mode : 'id' };
        const isEmpty = isJsonObject(value) && !Object.hasOwn(value, 'value');
        const located = this.#located(parameter, mode, isEmpty ? undefined : locatedValue(value), itemIndex);
        if (located !== undefined) values[parameter.name] = located;
      } else if (value !== undefined) values[parameter.name] = value;
    }
    return { values, locators };
  }

  #value(parameter: ParameterDescriptor, itemIndex: number): Json | undefined {
    const { name } = parameter;
    if (this.#fixed.has(name)) return this.#fixed.get(name);
    const given = this.#context.parameter(name, itemIndex);
    const json = name === LIMIT && parameter.type === 'number' ? limitOf(parameter, given, itemIndex) : toJson(given);
    const isTexts = parameter.multiple === true && Array.isArray(json);
    if (parameter.type === 'string' && typeof json === 'object' && json !== null && !isTexts)
      throw new NodeFailure(`"${parameter.label}" must be text, not ${Array.isArray(json) ? 'a list' : 'an object'}.`, {
        itemIndex,
      });
    const value = json === undefined ? undefined : filledValue(parameter, json, this.#scope);
    if (!holdsExpression(this.#context.rawParameter(name))) this.#fixed.set(name, value);
    return value;
  }

  /** The resource in a value: the group of the mode's pattern. An empty value has none. */
  #located(
    { name, modes = [] }: ParameterDescriptor,
    mode: Json | undefined,
    value: Json | undefined,
    itemIndex: number,
  ): Json | undefined {
    const extract = modes.find((one) => one.name === mode)?.extract;
    if (extract === undefined || typeof value !== 'string' || value === '') return value;
    const pattern = this.#patterns.get(extract) ?? RE2JS.compile(extract);
    this.#patterns.set(extract, pattern);
    const matcher = pattern.matcher(value.slice(0, MAX_LOCATOR));
    if (matcher.find()) return matcher.group(1) ?? value;
    throw new NodeFailure(`\`${name}\` does not have the form of its mode "${String(mode)}".`, {
      itemIndex,
      description: `The value must match ${extract}`,
    });
  }
}

/**
 * A limit as a number; the default if it is empty, as in n8n.
 * @throws NodeFailure for other values: a list without a limit would be read to its end
 */
function limitOf(
  { label, default: initial }: ParameterDescriptor,
  given: unknown,
  itemIndex: number,
): Json | undefined {
  if (given === undefined || given === null || given === '' || isEmptyObject(given)) return initial;
  const limit = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof limit === 'number' && Number.isFinite(limit) && limit >= 0) return limit;
  const shown = typeof given === 'number' ? String(given) : (JSON.stringify(toJson(given)) ?? 'undefined').slice(0, 80);
  throw new NodeFailure(`"${label}" must be a number of at least 0, not ${shown}.`, {
    itemIndex,
    description: 'Set a number, or turn on "Return all" for a list without a limit.',
  });
}

/** Nodes of some packages store an empty object for a number that is not set. */
const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

function holdsExpression(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(holdsExpression);
  return isJsonObject(value) ? Object.values(value).some(holdsExpression) : isExpression(value);
}

/**
 * A value in which the entries of groups have the defaults of their fields. Collections have only what is set. Fields
 * that the kind does not have are left out: a service might refuse a request with them.
 */
function filledValue({ type, fields, groups }: ParameterDescriptor, value: Json, scope: ParameterScope): Json {
  if (!isJsonObject(value)) return value;
  if (type === 'collection') return filledFields(fields ?? [], value, scope, false);
  if (type !== 'fixedCollection') return value;
  const filled = (groups ?? []).flatMap((group): [string, Json][] => {
    const entries = value[group.name];
    if (entries === undefined) return [];
    const fill = (entry: Json): Json => (isJsonObject(entry) ? filledFields(group.fields, entry, scope, true) : entry);
    return [[group.name, Array.isArray(entries) ? entries.map(fill) : fill(entries)]];
  });
  return { ...value, ...Object.fromEntries(filled) };
}

function filledFields(
  fields: readonly ParameterDescriptor[],
  own: JsonObject,
  scope: ParameterScope,
  addsDefaults: boolean,
): JsonObject {
  const nested = nestedScope(scope, own, fields);
  const filled = fields.flatMap((field): [string, Json][] => {
    const given = Object.hasOwn(own, field.name) ? own[field.name] : undefined;
    if (given !== undefined) return [[field.name, filledValue(field, given, nested)]];
    return addsDefaults && field.default !== undefined && isShown(field, nested) ? [[field.name, field.default]] : [];
  });
  return Object.fromEntries(filled);
}
