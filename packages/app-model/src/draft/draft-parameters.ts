import type { Json, JsonObject } from '@weft/service-kit/json-values';
import type { AppParameter } from '../app-document.gen';
import type { FieldSchema } from './field-schema';
import { firstSentence, labelOf, oneLine, parameterNameOf } from './names';
import { pathNames, type ApiRequest, type Place, type RequestField } from './request-fields';

/** Name of the collection with the optional values of an operation, and of its value in templates. */
const OPTIONS = 'options';
const COLLECTION = 'o';
const MAX_DEFAULT = 1_000;

/** The parameters of an operation, and the templates of the request that sends them. */
export interface DraftRequest {
  /** Without the condition that shows them for their operation. */
  readonly parameters: readonly AppParameter[];
  readonly let?: JsonObject;
  readonly path: string;
  readonly query?: JsonObject;
  readonly headers?: JsonObject;
  readonly body?: Json;
}

/** A value with the name of its parameter. */
interface NamedField extends RequestField {
  readonly name: string;
  /** True for a field of the collection of optional values. */
  readonly isOptional: boolean;
}

/** Drafts the parameters of a request: required values first, then a collection with the optional ones. */
export function draftRequest(path: string, request: ApiRequest): DraftRequest {
  const sent = request.fields.filter(({ schema }) => schema.constant === undefined);
  const named = withNames(sent, request.body === 'whole' || request.body === 'text' || request.body === 'file');
  const optional = named.filter((one) => one.isOptional);
  const collection: AppParameter = {
    name: OPTIONS,
    label: 'Options',
    type: 'collection',
    help: 'Further values of the request.',
    fields: optional.map((one) => parameterOf(one)),
  };
  const templates = (place: Place): JsonObject | undefined => templatesAt(place, request, named);
  const query = templates('query');
  const headers = headersOf(request, templates('headers'));
  const body = bodyTemplate(request, named, templates('body'));
  return {
    parameters: [
      ...named.filter((one) => !one.isOptional).map((one) => parameterOf(one)),
      ...(optional.length === 0 ? [] : [collection]),
    ],
    ...(optional.length === 0 ? {} : { let: { [COLLECTION]: `={{ $p.${OPTIONS} ?? {} }}` } }),
    path: pathTemplate(path, named),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
}

/** Gives each value a name. Of two with the same name, the second one is named by its place as well. */
function withNames(fields: readonly RequestField[], isWhole: boolean): readonly NamedField[] {
  const taken = new Set<string>();
  return fields.map((one) => {
    const own = parameterNameOf(one.wire);
    const candidates = [own, `${one.place}${own.charAt(0).toUpperCase()}${own.slice(1)}`];
    const name = candidates.find((candidate) => !taken.has(candidate)) ?? `${own}${taken.size}`;
    taken.add(name);
    return { ...one, name, isOptional: !one.isRequired && !(isWhole && one.place === 'body') };
  });
}

function parameterOf({ name, wire, schema, isRequired, isOptional }: NamedField): AppParameter {
  const { type, options, title, description } = schema;
  const given = isOptional ? undefined : defaultOf(schema);
  return {
    name,
    label: oneLine(title).slice(0, 60) || labelOf(wire),
    type: type === 'file' ? 'string' : type,
    ...(isRequired && type !== 'boolean' ? { required: true } : {}),
    ...(given === undefined ? {} : { default: given }),
    help: helpOf(wire, schema, description),
    ...(options.length === 0 ? {} : { options: optionsOf(options) }),
  };
}

function helpOf(wire: string, { type, isList }: FieldSchema, description: string): string {
  const text = firstSentence(description) || `${labelOf(wire)}.`;
  if (type === 'file') return `Binary field of the item with the file. ${text}`;
  return type === 'json' && isList ? `A list as JSON. ${text}` : text;
}

function optionsOf(options: FieldSchema['options']): NonNullable<AppParameter['options']> {
  const labels = options.map((value) => labelOf(String(value)));
  const areDistinct = new Set(labels).size === labels.length;
  return options.map((value, index) => ({
    value,
    label: (areDistinct ? labels[index] : undefined) ?? (String(value) || 'Empty'),
  }));
}

/** The default of a required value: that of the schema, else one with which the form of the node is complete. */
function defaultOf({ type, options, default: given }: FieldSchema): Json | undefined {
  switch (type) {
    case 'boolean':
      return given === true;
    case 'options':
      return options.find((value) => value === given) ?? options[0];
    case 'multiOptions':
      return [];
    case 'number':
      return typeof given === 'number' ? given : undefined;
    case 'json':
      return given === undefined || given === null ? undefined : shortText(JSON.stringify(given));
    case 'string':
      return typeof given === 'string' ? shortText(oneLine(given)) : undefined;
    case 'dateTime':
    case 'file':
      return undefined;
  }
}

/** A default that is no expression, and not too long to read. */
const shortText = (text: string): string | undefined =>
  text === '' || text.startsWith('=') || text.length > MAX_DEFAULT ? undefined : text;

/** A JavaScript string. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A constant in a template. A string that begins like an expression is written as an expression. */
const literal = (value: string | number | boolean): Json =>
  typeof value === 'string' && value.startsWith('=') ? `={{ ${quoted(value)} }}` : value;

/** The path with its values, as a template. A path without values is not changed. */
function pathTemplate(path: string, named: readonly NamedField[]): string {
  const [whole = ''] = path.split(/[?#]/);
  if (pathNames(whole).length === 0) return whole;
  const parts = whole.split(/(\{[^{}]{1,200}\})/).filter((part) => part !== '');
  const written = parts.map((part) => {
    const wire = /^\{(.*)\}$/.exec(part)?.[1];
    const own = named.find((one) => one.place === 'path' && one.wire === wire);
    return own === undefined ? quoted(part) : `$fn.path($p.${own.name})`;
  });
  return `={{ ${written.join(' + ')} }}`;
}

function templatesAt(place: Place, { fields }: ApiRequest, named: readonly NamedField[]): JsonObject | undefined {
  const entries = fields.flatMap((one): [string, Json][] => {
    if (one.place !== place) return [];
    const { constant } = one.schema;
    if (constant !== undefined) return one.isRequired ? [[keyOf(one.wire), literal(constant)]] : [];
    const own = named.find((other) => other.place === place && other.wire === one.wire);
    return own === undefined ? [] : [[keyOf(one.wire), `={{ ${valueOf(own)} }}`]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Keys that begin with dots would spread an object. */
const keyOf = (wire: string): string => (wire.startsWith('...') ? wire.slice(3) : wire);

function headersOf({ contentType }: ApiRequest, headers: JsonObject | undefined): JsonObject | undefined {
  const type = contentType === undefined ? {} : { 'content-type': oneLine(contentType) };
  const all = { ...type, ...headers };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** The expression for a value of the request. */
function valueOf({ name, schema, isOptional, separator, isText, place }: NamedField): string {
  const value = isOptional ? `${COLLECTION}.${name}` : `$p.${name}`;
  const unlessEmpty = (text: string): string => (isOptional ? `${value} ? ${text} : undefined` : text);
  const joined = separator === undefined ? '' : `.join(${quoted(separator)})`;
  switch (schema.type) {
    case 'json':
      return unlessEmpty(isText ? `$fn.text($fn.json(${value}))` : `$fn.json(${value})${joined}`);
    case 'multiOptions':
      return unlessEmpty(`${value}${joined}`);
    case 'file':
      return unlessEmpty(place === 'body' ? `$fn.file(${value})` : value);
    case 'string':
    case 'dateTime':
      return isOptional ? `${value} || undefined` : value;
    case 'number':
    case 'boolean':
    case 'options':
      return value;
  }
}

function bodyTemplate(
  { body }: ApiRequest,
  named: readonly NamedField[],
  fields: JsonObject | undefined,
): Json | undefined {
  const [only] = named.filter(({ place }) => place === 'body');
  switch (body) {
    case 'whole':
    case 'text':
    case 'file':
      if (only === undefined) return undefined;
      if (only.isRequired || body === 'text') return `={{ ${valueOf(only)} }}`;
      return `={{ $p.${only.name} ? ${valueOf(only)} : undefined }}`;
    case 'form':
    case 'multipart':
      // Both need a body.
      return fields ?? {};
    case 'json':
    case 'none':
      return fields;
  }
}
