import {
  booleanField,
  field,
  isJsonObject,
  listField,
  objectField,
  textField,
  type Json,
  type JsonObject,
  type OptionDescriptor,
  type ParameterDescriptor,
  type ParameterScope,
} from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';
import type { MapperControl } from './field';
import { fieldOf, type FormContext, readOthers } from './read-form';

/** The fields of a mapper that its control edits. */
const EDITED = ['mappingMode', 'value', 'matchingColumns', 'schema', 'attemptToConvertTypes'];

/** Operations that only add rows, by the names that apps and tables give them: nothing is matched. */
const ADDING: ReadonlySet<Json> = new Set(['append', 'create', 'insert']);

/** A column that a service offers. */
export interface OfferedColumn {
  readonly name: string;
  readonly label: string;
}

/** The mapping of columns; undefined for a value of another form. */
export function readMapper(
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): MapperControl | undefined {
  const own = value ?? {};
  if (!isJsonObject(own) || !hasForm(own)) return undefined;
  const schema = listField(own, 'schema').filter(isJsonObject);
  const described = new Map(schema.map((column) => [idOf(column), column]));
  const values = objectField(own, 'value') ?? {};
  const mapped = Object.keys(values).filter((name) => values[name] !== null);
  const isTyped = schema.some((column) => (textField(column, 'type') ?? 'string') !== 'string');
  const operation = scope.root['operation'];
  return {
    kind: 'mapper',
    mode: textField(own, 'mappingMode') ?? 'defineBelow',
    columns: mapped.map((name) => ({
      name,
      field: fieldOf(
        columnOf(name, values[name], described.get(name)),
        values[name],
        scope,
        [...path, 'value', name],
        context,
      ),
    })),
    absent: schema.map(idOf).filter((name) => name !== '' && !mapped.includes(name)),
    matching: namesIn(own, 'matchingColumns'),
    canMatch: operation === undefined || !ADDING.has(operation),
    converts: isTyped ? booleanField(own, 'attemptToConvertTypes') === true : undefined,
    others: readOthers(own, path, EDITED, [], context),
  };
}

/** The parameter for the value of a column, of the type that its description has if the value suits it. */
function columnOf(name: string, value: Json | undefined, column: JsonObject | undefined): ParameterDescriptor {
  const label = textField(column, 'displayName') || name;
  const type = textField(column, 'type');
  const options = listField(column, 'options').filter(isJsonObject);
  if (type === 'options' && options.length > 0)
    return { name, label, type, options: options.map((one) => optionOf(one)) };
  if (typeof value === 'object') return { name, label, type: 'json' };
  if (type === 'boolean' && (typeof value === 'boolean' || value === 'true' || value === 'false'))
    return { name, label, type };
  return { name, label, type: type === 'number' || type === 'dateTime' ? type : 'string' };
}

function optionOf(option: JsonObject): OptionDescriptor {
  const value = field(option, 'value') ?? '';
  return { value, label: textField(option, 'name') ?? String(value) };
}

function hasForm(own: JsonObject): boolean {
  const { value, matchingColumns, schema } = own;
  const isList = (one: Json | undefined): boolean => one === undefined || one === null || Array.isArray(one);
  return (
    (value === undefined || value === null || isJsonObject(value)) &&
    isList(matchingColumns) &&
    isList(schema) &&
    (Object.keys(own).length === 0 ||
      ['mappingMode', 'value', 'matchingColumns', 'schema'].some((name) => Object.hasOwn(own, name)))
  );
}

function idOf(column: JsonObject): string {
  return textField(column, 'id') ?? '';
}

function namesIn(own: JsonObject, name: string): string[] {
  return listField(own, name).filter((one) => typeof one === 'string');
}

/** The mapping with another mode: `defineBelow` or `autoMapInputData`. */
export function setMappingMode(mapper: Json | undefined, mode: string): JsonObject {
  const own = objectOf(mapper);
  return { ...own, mappingMode: mode, value: objectField(own, 'value') ?? (mode === 'defineBelow' ? {} : null) };
}

/**
 * The mapping with further columns, each with an empty value. Columns of the service are described in `schema`, as in
 * n8n. A name that a user typed is not: the table may not have such a column.
 */
export function addColumns(
  mapper: Json | undefined,
  columns: readonly OfferedColumn[],
  isOffered: boolean,
): JsonObject {
  const own = objectOf(mapper);
  const values = objectField(own, 'value') ?? {};
  const added = columns.filter(({ name }) => !isMapped(values, name) && name !== '' && name !== '__proto__');
  const schema = listField(own, 'schema');
  const described = new Set(schema.filter(isJsonObject).map(idOf));
  const unknown = isOffered ? added.filter(({ name }) => !described.has(name)) : [];
  return {
    ...own,
    mappingMode: 'defineBelow',
    value: { ...values, ...Object.fromEntries(added.map(({ name }) => [name, ''])) },
    ...(unknown.length === 0 ? {} : { schema: [...schema, ...unknown.map(describe)] }),
  };
}

function isMapped(values: JsonObject, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] !== null;
}

function describe({ name, label }: OfferedColumn): JsonObject {
  return { id: name, displayName: label, required: false, defaultMatch: false, display: true, canBeUsedToMatch: true };
}

/** The mapping without a column, also as one to match on. Its description stays. */
export function removeColumn(mapper: Json | undefined, name: string): JsonObject {
  const own = objectOf(mapper);
  const { [name]: _removed, ...values } = objectField(own, 'value') ?? {};
  const matching = namesIn(own, 'matchingColumns');
  const rest = matching.filter((one) => one !== name);
  return { ...own, value: values, ...(rest.length === matching.length ? {} : { matchingColumns: rest }) };
}

/** The mapping with other columns to match on. */
export function setMatching(mapper: Json | undefined, matching: readonly string[]): JsonObject {
  return { ...objectOf(mapper), matchingColumns: [...new Set(matching)] };
}

function objectOf(mapper: Json | undefined): JsonObject {
  return isJsonObject(mapper) ? mapper : { mappingMode: 'defineBelow', value: {} };
}
