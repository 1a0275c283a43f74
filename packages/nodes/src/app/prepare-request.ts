import type {
  AppCall,
  AppDocument,
  AppFile,
  AppMail,
  AppOperation,
  AppPages,
  AppRefusal,
  AppStep,
} from '@weft/app-model';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { ListStyle } from '../shared/http/settings';
import { Template } from './template';

/** True for a request whose response is a file, and not JSON. */
export const givesFile = ({ file }: Pick<PreparedRequest, 'file'>): boolean =>
  file !== undefined && file.from === undefined;

/** True for a method that changes nothing; false for one that depends on the item. */
export const isReading = (method: Template | string): boolean => method === 'GET' || method === 'HEAD';

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
  /** Path of its Base64 in the body; undefined if the body is the file. */
  readonly from: string | undefined;
  readonly property: Template;
  readonly name: Template | undefined;
  readonly type: Template | undefined;
}

/** A mail in a response. */
export interface PreparedMail {
  /** Path of its text in the body. */
  readonly from: string;
  readonly attachments: Template | undefined;
  readonly prefix: Template | undefined;
}

/** A request that an operation or a step makes, together with its call. */
export interface PreparedRequest {
  /** A template if it depends on the item. */
  readonly method: Template | string;
  readonly url: Template;
  readonly path: Template | undefined;
  readonly query: readonly Template[];
  readonly listStyle: ListStyle;
  readonly headers: readonly Template[];
  readonly body: Template | undefined;
  readonly isForm: boolean;
  /** True if the body is sent as it is. */
  readonly isTextSent: boolean;
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

/** How a list is fetched page by page. */
export interface PreparedPages extends Omit<AppPages, 'next'> {
  /** A path into the response body, or a template. */
  readonly next: Template | string | undefined;
}

/** A step of an operation. */
export interface PreparedStep {
  readonly as: string;
  readonly when: Template | undefined;
  readonly forEach: Template | undefined;
  readonly request: PreparedRequest;
  /** True if equal requests of several items are sent once. */
  readonly isOnce: boolean;
  /** The pages in which the list of the response is fetched. */
  readonly pages: PreparedPages | undefined;
  /** A path into the response body, or a template that gives an array. */
  readonly list: Template | string | undefined;
  readonly mail: PreparedMail | undefined;
}

/** Values that later templates see, in order. */
export type PreparedLet = readonly (readonly [name: string, value: Template])[];

/** Compiles a part of an app. */
export type Make = (value: Json, place: string) => Template;

/** Compiles a part whose names nothing else needs. */
export const compiled: Make = (value, place) => new Template(value, place);

/** Compiles a part that may be absent. */
export const optionally =
  (make: Make) =>
  (value: Json | undefined, place: string): Template | undefined =>
    value === undefined ? undefined : make(value, place);

/** The part of an operation or step that completes a call. */
type RequestPart = Pick<
  AppOperation,
  'method' | 'path' | 'query' | 'headers' | 'body' | 'form' | 'text' | 'multipart' | 'idempotent' | 'file'
>;

/** Prepares a request of a call. */
export function requestOf(
  app: AppDocument,
  name: string,
  part: RequestPart,
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
    method: method.startsWith('=') ? make(method, `${path}.method`) : method,
    url: make(call.url, `${at}.url`),
    path: optional(part.path, `${path}.path`),
    query: both('query'),
    listStyle: call.lists ?? 'indices',
    headers: both('headers'),
    body: optional(part.body, `${path}.body`),
    isForm: part.form === true,
    isTextSent: part.text === true,
    multipart: typeof part.multipart === 'string' ? make(part.multipart, `${path}.multipart`) : part.multipart === true,
    sendsCredential: call.credential !== false,
    pathPrefix: call.pathPrefix ?? '',
    failed: optional(call.failed, `${at}.failed`),
    errors: errorsOf(call, at, make),
    isText: call.answer === 'text',
    isRepeatable: isReading(method) || call.idempotent === true || part.idempotent === true,
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

function fileOf({ from, property = 'data', name, type }: AppFile, path: string, make: Make): PreparedFile {
  const optional = optionally(make);
  return {
    from,
    property: make(property, `${path}.property`),
    name: optional(name, `${path}.name`),
    type: optional(type, `${path}.type`),
  };
}

/** Prepares steps. */
export function stepsOf(
  app: AppDocument,
  steps: readonly AppStep[] = [],
  path: string,
  make: Make,
): readonly PreparedStep[] {
  const optional = optionally(make);
  return steps.map((step, index) => {
    const at = `${path}.steps[${index}]`;
    return {
      as: step.as,
      when: optional(step.when, `${at}.when`),
      forEach: optional(step.forEach, `${at}.forEach`),
      request: requestOf(app, step.call, step, at, make),
      isOnce: step.once === true,
      pages: pagesOf(app, step.pages, make),
      list: listOf(step.list, `${at}.list`, make),
      mail: step.mail === undefined ? undefined : mailOf(step.mail, `${at}.mail`, make),
    };
  });
}

/** Prepares the place of a list: a path, or a template. */
export const listOf = <List extends string | undefined>(list: List, path: string, make: Make): Template | List =>
  list?.startsWith('=') === true ? make(list, path) : list;

/** Prepares the pages of a name; undefined if a part of an app has none. */
export function pagesOf(app: AppDocument, name: string | undefined, make: Make = compiled): PreparedPages | undefined {
  const pages = name === undefined ? undefined : app.pages?.[name];
  return pages === undefined
    ? undefined
    : { ...pages, next: listOf(pages.next, `${app.name}: pages.${name}.next`, make) };
}

function mailOf({ from, attachments, prefix }: AppMail, path: string, make: Make): PreparedMail {
  const optional = optionally(make);
  return {
    from,
    attachments: optional(attachments, `${path}.attachments`),
    prefix: optional(prefix, `${path}.prefix`),
  };
}

/** A condition under which a request is refused, with its message. */
export interface PreparedRefusal {
  readonly when: Template;
  readonly message: Template;
}

/** Prepares refusals. */
export function refusalsOf(refuse: readonly AppRefusal[] = [], path: string, make: Make): readonly PreparedRefusal[] {
  return refuse.map(({ when, message }, index) => ({
    when: make(when, `${path}.refuse[${index}].when`),
    message: make(message, `${path}.refuse[${index}].message`),
  }));
}

/** Prepares values for later templates. */
export function letOf(values: JsonObject | undefined, path: string, make: Make = compiled): [string, Template][] {
  return Object.entries(values ?? {}).map(([name, value]) => [name, make(value, `${path}.${name}`)]);
}
