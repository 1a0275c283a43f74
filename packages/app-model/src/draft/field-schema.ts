import { isJsonObject, type Json, listField, textField } from '@weft/service-kit/json-values';
import { isPlain } from './names';
import { allProperties, mergeSchema, type MergedSchema } from './merge-schema';
import type { References } from './references';

/** Maximum number of options of a parameter. */
const MAX_OPTIONS = 100;
const MAX_OPTION_LENGTH = 200;

/** How a value is entered. */
export type FieldType = 'string' | 'number' | 'boolean' | 'dateTime' | 'options' | 'multiOptions' | 'json' | 'file';

type Scalar = string | number | boolean;

/** The schema of one value, as far as a parameter shows it. */
export interface FieldSchema {
  readonly type: FieldType;
  /** With `options` and `multiOptions`. */
  readonly options: readonly Scalar[];
  /** The only value that the service takes. */
  readonly constant: Scalar | undefined;
  readonly default: Json | undefined;
  readonly title: string;
  readonly description: string;
  /** True if the value is a list. */
  readonly isList: boolean;
  /** True for a list whose entries are not objects or lists. */
  readonly isPlainList: boolean;
  /** True if the service takes other forms of the value as well. */
  readonly isSimplified: boolean;
  /** True for a value that only responses have. */
  readonly isReadOnly: boolean;
  readonly isDeprecated: boolean;
}

/** Reads the schema of a value. One that is unknown is JSON. */
export function fieldSchemaOf(references: References, schema: Json | undefined): FieldSchema {
  const merged = mergeSchema(references, schema);
  const { keywords } = merged;
  const form = formOf(references, merged);
  return {
    ...form,
    default: keywords['default'],
    title: textField(keywords, 'title') ?? '',
    description: textField(keywords, 'description') ?? '',
    isReadOnly: keywords['readOnly'] === true,
    isDeprecated: keywords['deprecated'] === true,
  };
}

type Form = Pick<FieldSchema, 'type' | 'options' | 'constant' | 'isList' | 'isPlainList' | 'isSimplified'>;

const plain = (type: FieldType, isSimplified = false): Form => ({
  type,
  options: [],
  constant: undefined,
  isList: false,
  isPlainList: false,
  isSimplified,
});

function formOf(references: References, merged: MergedSchema): Form {
  const { keywords, variants } = merged;
  const values = valuesOf(merged);
  if (values !== undefined) {
    const [only] = values;
    if (values.length === 1) return { ...plain(scalarType(only)), constant: only };
    return values.length <= MAX_OPTIONS ? { ...plain('options'), options: values } : plain(scalarType(only));
  }
  if (variants.length > 0) return formOfVariants(references, variants);
  const type = typeOf(keywords);
  switch (type) {
    case 'integer':
    case 'number':
      return plain('number');
    case 'boolean':
      return plain('boolean');
    case 'file':
      return plain('file');
    case 'string':
      return plain(stringType(keywords));
    case 'array': {
      const items = mergeSchema(references, keywords['items']);
      const entries = valuesOf(items);
      const isChoice = entries !== undefined && entries.length > 0 && entries.length <= MAX_OPTIONS;
      if (isChoice) return { ...plain('multiOptions'), options: entries, isList: true, isPlainList: true };
      const isPlainList = ['string', 'integer', 'number', 'boolean'].includes(typeOf(items.keywords));
      return { ...plain('json'), isList: true, isPlainList };
    }
    default:
      return plain('json');
  }
}

/** Alternatives of one type are that type; otherwise the first one decides if it is a single value. */
function formOfVariants(references: References, variants: readonly MergedSchema[]): Form {
  const forms = variants.map((one) => formOf(references, { ...one, variants: one.variants.slice(0, 1) }));
  const [first = plain('json')] = forms;
  const types = new Set(forms.map(({ type }) => (type === 'options' ? 'string' : type)));
  if (types.size === 1) return first.type === 'options' ? plain('string') : { ...first, constant: undefined };
  const isSingle = ['string', 'options', 'number', 'boolean', 'dateTime'].includes(first.type);
  return isSingle ? plain(first.type === 'options' ? 'string' : first.type, true) : plain('json');
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= MAX_OPTION_LENGTH && isPlain(value) && !value.startsWith('='));

/** All values that a schema allows, if it lists them and they are single values. */
function valuesOf({ keywords, variants }: MergedSchema): readonly Scalar[] | undefined {
  const { const: constant } = keywords;
  const listed = listField(keywords, 'enum').filter((value) => value !== null);
  const given = constant === undefined ? listed : [constant];
  if (given.length > 0) return given.every(isScalar) ? [...new Set(given)] : undefined;
  if (variants.length === 0) return undefined;
  const all = variants.map(valuesOf);
  if (all.includes(undefined)) return undefined;
  return [...new Set(all.flatMap((values) => values ?? []))];
}

const scalarType = (value: Scalar | undefined): FieldType =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';

/** The type of a value. OpenAPI 3.1 has lists of types, of which null is left out. */
function typeOf(keywords: MergedSchema['keywords']): string {
  const { type } = keywords;
  const given = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (typeof given === 'string') return given;
  if (keywords['items'] !== undefined) return 'array';
  return isJsonObject(keywords['additionalProperties']) ? 'object' : '';
}

function stringType(keywords: MergedSchema['keywords']): FieldType {
  const format = textField(keywords, 'format');
  if (format === 'binary' || keywords['contentMediaType'] === 'application/octet-stream') return 'file';
  return format === 'date-time' ? 'dateTime' : 'string';
}

/** Path of the string that describes an error, such as `error.message`, if the schema shows one. */
export function messagePathOf(references: References, schema: Json | undefined): string | undefined {
  const names = ['message', 'error_message', 'detail', 'description', 'error', 'errors'];
  const isText = (value: Json): boolean => fieldSchemaOf(references, value).type === 'string';
  const top = allProperties(mergeSchema(references, schema));
  for (const name of names) {
    const own = top.get(name);
    if (own === undefined) continue;
    const inner = allProperties(mergeSchema(references, own.schema));
    const below = names.find((one) => inner.has(one) && isText(inner.get(one)?.schema ?? null));
    if (below !== undefined) return `${name}?.${below}`;
    if (isText(own.schema)) return name;
  }
  return undefined;
}

/** Path of the list in a response: empty if it is the response; undefined if the schema has none, or several. */
export function listPathOf(references: References, schema: Json | undefined): string | undefined {
  const merged = mergeSchema(references, schema);
  if (typeOf(merged.keywords) === 'array') return '';
  const lists = [...allProperties(merged)].filter(([, one]) => {
    const { keywords } = mergeSchema(references, one.schema);
    return typeOf(keywords) === 'array';
  });
  const [only] = lists;
  return lists.length === 1 ? only?.[0] : undefined;
}
