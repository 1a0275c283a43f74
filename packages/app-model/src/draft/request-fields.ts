import {
  booleanField,
  type Json,
  type JsonObject,
  listField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import { fieldSchemaOf, type FieldSchema } from './field-schema';
import type { ApiOperation } from './find-operations';
import { allProperties, mergeSchema } from './merge-schema';
import { isPlain } from './names';
import type { OpenApi } from './read-openapi';
import type { References } from './references';

/** Maximum number of parameters of an operation. */
const MAX_FIELDS = 300;
const MAX_NAME = 200;
/** Headers that the request has anyway, and those of credentials. */
const OWN_HEADERS = new Set([
  'accept',
  'authorization',
  'content-type',
  'content-length',
  'cookie',
  'host',
  'user-agent',
]);

/** Place of a value in a request. */
export type Place = 'path' | 'query' | 'headers' | 'body';

/** One value of a request. */
export interface RequestField {
  /** Name in the request. */
  readonly wire: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly schema: FieldSchema;
  /** Joins the entries of a list in the query or a form to one string; undefined: one value for each entry. */
  readonly separator: string | undefined;
  /** True for a list whose entries are sent with the same name. */
  readonly isRepeated: boolean;
  /** True for JSON that is sent as text. */
  readonly isText: boolean;
}

/** Form of the body of a request. `whole`: one value, which is not an object with known fields. */
export type BodyForm = 'none' | 'json' | 'form' | 'multipart' | 'text' | 'file' | 'whole';

/** The values of a request. */
export interface ApiRequest {
  readonly fields: readonly RequestField[];
  readonly body: BodyForm;
  /** Media type of a body that is text. */
  readonly contentType: string | undefined;
  /** Names of values that are left out. */
  readonly leftOut: readonly string[];
}

/** Reads the parameters and the body of an operation. */
export function requestOf(openApi: OpenApi, references: References, operation: ApiOperation): ApiRequest {
  const parameters = parametersOf(references, operation);
  const swagger = openApi.isSwagger ? swaggerBody(openApi, references, operation, parameters) : undefined;
  const body = swagger ?? requestBody(references, references.resolve(operation.content['requestBody']));
  const given = parameters.flatMap((one) => parameterField(references, one) ?? []);
  const path = pathNames(operation.path).filter(
    (name) => !given.some((one) => one.place === 'path' && one.wire === name),
  );
  const fields = [...path.map((name) => pathField(references, name)), ...given, ...body.fields].slice(0, MAX_FIELDS);
  const isSent = ({ schema, isRequired, place }: RequestField): boolean =>
    place === 'path' || (!schema.isReadOnly && (isRequired || !schema.isDeprecated));
  return {
    ...body,
    fields: fields.filter((one) => isSent(one) && isName(one.wire)),
    leftOut: [
      ...fields.filter((one) => (!isSent(one) && !one.schema.isReadOnly) || !isName(one.wire)).map((one) => one.wire),
      ...parameters.filter((one) => one['in'] === 'cookie').map((one) => textField(one, 'name') ?? ''),
    ],
  };
}

/** Lists that are sent in the query or a form, where their entries have names. */
export const namedLists = ({ fields, body }: ApiRequest): readonly RequestField[] =>
  fields.filter(({ place, schema }) => schema.isList && (place === 'query' || (place === 'body' && body === 'form')));

/** True if a request sends the entries of lists with the same name. */
export const repeatsLists = (request: ApiRequest): boolean => namedLists(request).some((one) => one.isRepeated);

/** A name that an app file can have as a key. */
const isName = (wire: string): boolean => wire.length <= MAX_NAME && isPlain(wire) && wire !== '__proto__';

/** Names in braces of a path. */
export const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]{1,200})\}/g)].map(([, name = '']) => name);

/** Parameters of an operation and of its path. Those of the operation replace those of the path. */
function parametersOf(references: References, { content, item }: ApiOperation): readonly JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const one of [...listField(item, 'parameters'), ...listField(content, 'parameters')]) {
    const parameter = references.resolve(one);
    if (parameter === undefined) continue;
    found.set(`${textField(parameter, 'in') ?? ''} ${textField(parameter, 'name') ?? ''}`, parameter);
  }
  return [...found.values()].slice(0, MAX_FIELDS);
}

/** Form of values that are not lists in a query or a form. */
const ALONE = { separator: undefined, isRepeated: false, isText: false } as const;

function pathField(references: References, wire: string): RequestField {
  const schema = fieldSchemaOf(references, { type: 'string' });
  return { ...ALONE, wire, place: 'path', isRequired: true, schema };
}

const PLACES: Readonly<Record<string, Place>> = { path: 'path', query: 'query', header: 'headers' };

function parameterField(references: References, parameter: JsonObject): RequestField | undefined {
  const wire = textField(parameter, 'name') ?? '';
  const place = PLACES[textField(parameter, 'in') ?? ''];
  if (place === undefined || wire === '' || (place === 'headers' && OWN_HEADERS.has(wire.toLowerCase())))
    return undefined;
  const [media] = Object.values(objectField(parameter, 'content') ?? {});
  // Swagger 2 describes the value in the parameter itself.
  const described = parameter['schema'] ?? objectField(media, 'schema') ?? parameter;
  const schema = fieldSchemaOf(references, described);
  return {
    wire,
    place,
    isRequired: place === 'path' || parameter['required'] === true,
    schema: {
      ...schema,
      description: textField(parameter, 'description') ?? schema.description,
      isDeprecated: schema.isDeprecated || parameter['deprecated'] === true,
    },
    ...listFormOf(parameter, schema),
    isText: media !== undefined && schema.type === 'json',
  };
}

const SEPARATORS: Readonly<Record<string, string>> = {
  csv: ',',
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

function listFormOf(parameter: JsonObject, { isList }: FieldSchema): Pick<RequestField, 'separator' | 'isRepeated'> {
  if (!isList) return ALONE;
  const collection = textField(parameter, 'collectionFormat') ?? 'csv';
  const style = textField(parameter, 'style') ?? (parameter['in'] === 'query' ? 'form' : 'simple');
  const isSwagger = parameter['schema'] === undefined;
  const isExploded = isSwagger ? collection === 'multi' : (booleanField(parameter, 'explode') ?? style === 'form');
  if (!isSwagger && style === 'deepObject') return ALONE;
  return listFormBy(isExploded, isSwagger ? collection : style);
}

const listFormBy = (isExploded: boolean, style: string): Pick<RequestField, 'separator' | 'isRepeated'> =>
  isExploded ? { separator: undefined, isRepeated: true } : { separator: SEPARATORS[style] ?? ',', isRepeated: false };

/** The form of a list in a form. Lists of objects have none in the document: they get names with indices. */
function formListOf(
  encoding: JsonObject | undefined,
  schema: FieldSchema,
): Pick<RequestField, 'separator' | 'isRepeated'> {
  const style = textField(encoding, 'style') ?? 'form';
  if (!schema.isPlainList || style === 'deepObject') return ALONE;
  return listFormBy(booleanField(encoding, 'explode') ?? style === 'form', style);
}

type Body = Pick<ApiRequest, 'fields' | 'body' | 'contentType'>;

const NO_BODY: Body = { fields: [], body: 'none', contentType: undefined };
/** Media types in the order in which they are chosen. */
const MEDIA: readonly (readonly [RegExp, BodyForm])[] = [
  [/^application\/json\b/, 'json'],
  [/^application\/[\w.-]{1,100}\+json\b/, 'json'],
  [/^application\/x-www-form-urlencoded\b/, 'form'],
  [/^multipart\/form-data\b/, 'multipart'],
  [/^\*\/\*/, 'json'],
  [/^(text\/|application\/xml\b)/, 'text'],
  [/./, 'file'],
];

function requestBody(references: References, body: JsonObject | undefined): Body {
  const content = Object.entries(objectField(body, 'content') ?? {});
  for (const [pattern, form] of MEDIA) {
    const found = content.find(([type]) => pattern.test(type));
    if (found !== undefined)
      return bodyOf(
        references,
        form,
        found[0],
        objectField(found[1], 'schema'),
        booleanField(body, 'required') === true,
        objectField(found[1], 'encoding'),
      );
  }
  return NO_BODY;
}

function bodyOf(
  references: References,
  form: BodyForm,
  contentType: string,
  schema: Json | undefined,
  isRequired: boolean,
  encoding?: JsonObject,
): Body {
  const one = (wire: string, type: FieldSchema['type']): RequestField => ({
    wire,
    place: 'body',
    isRequired,
    schema: { ...fieldSchemaOf(references, schema), type, options: [], constant: undefined, default: undefined },
    ...ALONE,
  });
  if (form === 'text') return { fields: [one('body', 'string')], body: 'text', contentType };
  if (form === 'file') return { fields: [one('file', 'file')], body: 'file', contentType: undefined };
  const properties = allProperties(mergeSchema(references, schema));
  if (properties.size === 0) return { fields: [one('body', 'json')], body: 'whole', contentType: undefined };
  const fields = [...properties].map(([wire, property]): RequestField => {
    const own = fieldSchemaOf(references, property.schema);
    const lists = form === 'form' ? formListOf(objectField(encoding, wire), own) : ALONE;
    return { ...ALONE, ...lists, wire, place: 'body', isRequired: property.isRequired, schema: own };
  });
  return { fields, body: form, contentType: undefined };
}

/** The body in the parameters of Swagger 2, if they have one. */
function swaggerBody(
  { root }: OpenApi,
  references: References,
  { content }: ApiOperation,
  parameters: readonly JsonObject[],
): Body | undefined {
  const whole = parameters.find((one) => one['in'] === 'body');
  if (whole !== undefined) return bodyOf(references, 'json', '', whole['schema'], whole['required'] === true);
  const inForm = parameters.filter((one) => one['in'] === 'formData');
  if (inForm.length === 0) return undefined;
  const types = [...listField(content, 'consumes'), ...listField(root, 'consumes')];
  const isMultipart = inForm.some((one) => one['type'] === 'file') || types[0] === 'multipart/form-data';
  const fields = inForm.map((one): RequestField => {
    const schema = fieldSchemaOf(references, one);
    const isRequired = one['required'] === true;
    const wire = textField(one, 'name') ?? '';
    return { ...ALONE, ...listFormOf(one, schema), wire, place: 'body', isRequired, schema };
  });
  return {
    fields: fields.filter(({ wire }) => wire !== ''),
    body: isMultipart ? 'multipart' : 'form',
    contentType: undefined,
  };
}
