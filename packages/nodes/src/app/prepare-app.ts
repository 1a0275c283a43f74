import type { AppCall, AppDocument, AppFile, AppOperation, AppPages, AppStep } from '@weft/app-model';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { Template } from './template';

/** A way to handle a failed response. */
export interface PreparedError {
  readonly when: Template | undefined;
  readonly message: Template | undefined;
  readonly isRetried: boolean;
  readonly after: Template | undefined;
  readonly isIgnored: boolean;
}

/** A file in a response. */
export interface PreparedFile {
  readonly property: Template;
  readonly name: Template | undefined;
  readonly type: Template | undefined;
}

/** A request that an operation or a step makes, together with its call. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: Template;
  readonly path: Template | undefined;
  readonly query: readonly Template[];
  readonly headers: readonly Template[];
  readonly body: Template | undefined;
  readonly isForm: boolean;
  /** True for a multipart body; a template if it depends on the item. */
  readonly multipart: Template | boolean;
  readonly sendsCredential: boolean;
  readonly pathPrefix: string;
  readonly failed: Template | undefined;
  readonly errors: readonly PreparedError[];
  /** True if the response is text and not JSON. */
  readonly isText: boolean;
  /** True if it may be sent again after a broken connection. */
  readonly isRepeatable: boolean;
  readonly file: PreparedFile | undefined;
}

/** A step of an operation. */
export interface PreparedStep {
  readonly as: string;
  readonly when: Template | undefined;
  readonly request: PreparedRequest;
}

/** Values that later templates see, in order. */
export type PreparedLet = readonly (readonly [name: string, value: Template])[];

/** An operation, ready to be run for any number of items. */
export interface PreparedOperation {
  readonly let: PreparedLet;
  readonly refuse: readonly { readonly when: Template; readonly message: Template }[];
  readonly request: PreparedRequest | undefined;
  readonly steps: readonly PreparedStep[];
  readonly pages: AppPages | undefined;
  /** A path into the response body, or a template that gives an array. */
  readonly list: Template | string | undefined;
  readonly item: Template | undefined;
}

/** Prepares an operation of a kind. Values of `let` that nothing reads are left out. */
export function prepareOperation(
  app: AppDocument,
  kind: string,
  key: string,
  operation: AppOperation,
): PreparedOperation {
  const at = `${app.name}: kinds.${kind}`;
  const path = `${at}.operations["${key}"]`;
  const templates: Template[] = [];
  const make = (value: Json, place: string): Template => {
    const template = new Template(value, place);
    templates.push(template);
    return template;
  };
  const optional = optionally(make);
  const { list, pages } = operation;
  const prepared = {
    refuse: (operation.refuse ?? []).map(({ when, message }, index) => ({
      when: make(when, `${path}.refuse[${index}].when`),
      message: make(message, `${path}.refuse[${index}].message`),
    })),
    request: operation.call === undefined ? undefined : requestOf(app, operation.call, operation, path, make),
    steps: (operation.steps ?? []).map((step, index) => ({
      as: step.as,
      when: optional(step.when, `${path}.steps[${index}].when`),
      request: requestOf(app, step.call, step, `${path}.steps[${index}]`, make),
    })),
    pages: pages === undefined ? undefined : app.pages?.[pages],
    list: list?.startsWith('=') === true ? make(list, `${path}.list`) : list,
    item: optional(operation.item, `${path}.item`),
  };
  const lets = [...letOf(app.kinds[kind]?.let, `${at}.let`), ...letOf(operation.let, `${path}.let`)];
  return { ...prepared, let: readOnes(lets, templates) };
}

function letOf(values: JsonObject | undefined, path: string): [string, Template][] {
  return Object.entries(values ?? {}).map(([name, value]) => [name, new Template(value, `${path}.${name}`)]);
}

function readOnes(lets: PreparedLet, templates: readonly Template[]): PreparedLet {
  const read = new Set(templates.flatMap((template) => [...template.names]));
  return [...lets]
    .reverse()
    .filter(([name, template]) => {
      if (!read.has(name)) return false;
      for (const other of template.names) read.add(other);
      return true;
    })
    .reverse();
}

type Make = (value: Json, place: string) => Template;

const optionally =
  (make: Make) =>
  (value: Json | undefined, place: string): Template | undefined =>
    value === undefined ? undefined : make(value, place);

function requestOf(
  app: AppDocument,
  name: string,
  part: AppOperation | AppStep,
  path: string,
  make: Make,
): PreparedRequest {
  const call = app.calls[name];
  if (call === undefined) throw new Error(`${path}: there is no call ${name}.`);
  const at = `${app.name}: calls.${name}`;
  const optional = optionally(make);
  const both = (key: 'query' | 'headers'): Template[] =>
    [optional(call[key], `${at}.${key}`), optional(part[key], `${path}.${key}`)].filter((one) => one !== undefined);
  const method = part.method ?? call.method ?? 'GET';
  return {
    method,
    url: make(call.url, `${at}.url`),
    path: optional(part.path, `${path}.path`),
    query: both('query'),
    headers: both('headers'),
    body: optional(part.body, `${path}.body`),
    isForm: part.form === true,
    multipart: typeof part.multipart === 'string' ? make(part.multipart, `${path}.multipart`) : part.multipart === true,
    sendsCredential: call.credential !== false,
    pathPrefix: call.pathPrefix ?? '',
    failed: optional(call.failed, `${at}.failed`),
    errors: errorsOf(call, at, make),
    isText: call.answer === 'text',
    isRepeatable: method === 'GET' || method === 'HEAD' || call.idempotent === true || part.idempotent === true,
    file: part.file === undefined ? undefined : fileOf(part.file, `${path}.file`, make),
  };
}

function errorsOf(call: AppCall, at: string, make: Make): PreparedError[] {
  const optional = optionally(make);
  return (call.errors ?? []).map(({ when, message, retry, after, ignore }, index) => {
    const path = `${at}.errors[${index}]`;
    return {
      when: optional(when, `${path}.when`),
      message: optional(message, `${path}.message`),
      isRetried: retry === true,
      after: optional(after, `${path}.after`),
      isIgnored: ignore === true,
    };
  });
}

function fileOf({ property = 'data', name, type }: AppFile, path: string, make: Make): PreparedFile {
  const optional = optionally(make);
  return {
    property: make(property, `${path}.property`),
    name: optional(name, `${path}.name`),
    type: optional(type, `${path}.type`),
  };
}
