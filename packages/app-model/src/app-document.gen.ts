/*
 * Generated from weft-app-1.schema.json by `npm run apps:gen`. Do not edit.
 */
import type { Json, JsonObject } from '@weft/service-kit/json-values';

/**
 * `catalogue`: a type of Weft's catalogue. Service accounts, which are of the catalogue too, need the scopes of the app. A type that is not of the catalogue stands for one that is: `as`.
 */
export type Credential = 'catalogue' | ServiceAccountUse | CredentialAlias;
/**
 * Fields by name. A key `...x` spreads an object; undefined values are left out.
 */
export type Fields = JsonObject;
/**
 * Values for the templates below, computed in the given order.
 */
export type Let = JsonObject;
export type Name = string;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
/**
 * A string, or a string with `{{ }}` after `=`.
 */
export type TextTemplate = string;
/**
 * A value whose strings `={{ … }}` are expressions, resolved strictly.
 */
export type Template = Json;
/**
 * JavaScript.
 */
export type Script = string;
/**
 * Fields by name. A key `...x` spreads an object; undefined values are left out.
 */
export type Fields1 = JsonObject;
/**
 * A string `={{ … }}`.
 */
export type Expression = string;
export type Target = string;
export type Conditions = Readonly<Record<string, readonly Json[]>>;

/**
 * An app as data: the calls of a service, and the node kinds that make them.
 */
export interface AppDocument {
  /**
   * Version of the format.
   */
  weftApp: 1;
  /**
   * Name of the app: lower case, digits and hyphens, at most 40 characters, a letter first.
   */
  name: string;
  /**
   * Name of the service, as people know it.
   */
  label: string;
  /**
   * Every host that a request may reach, redirects included: a name, `*.` and a suffix, or `$credential.FIELD` for the host in a field of the credential.
   *
   * @minItems 1
   * @maxItems 20
   */
  hosts: readonly string[];
  /**
   * Credential types, by name.
   */
  credentials: {
    [k: string]: Credential;
  };
  /**
   * Named requests, which operations complete.
   */
  calls: {
    [k: string]: AppCall;
  };
  /**
   * Named ways to fetch a list page by page.
   */
  pages?: {
    [k: string]: AppPages;
  };
  /**
   * Named lists of options, which editors offer for parameters.
   */
  lists?: {
    [k: string]: AppList;
  };
  /**
   * Pieces of JavaScript that code steps share, by name.
   */
  scripts?: {
    [k: string]: Script;
  };
  /**
   * Node kinds, by name; a type of another package, such as `@apify/n8n-nodes-apify.apify`, by the whole type.
   */
  kinds: {
    [k: string]: AppKind;
  };
}
export interface ServiceAccountUse {
  /**
   * Scopes of the tokens that the app asks for.
   *
   * @minItems 1
   * @maxItems 20
   */
  scopes: readonly string[];
}
export interface CredentialAlias {
  /**
   * Type of the catalogue whose credentials nodes name by this type.
   */
  as: string;
}
export interface AppCall {
  /**
   * Absolute URL, to which the path of the operation is appended.
   */
  url: string;
  /**
   * Default: GET.
   */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  query?: Fields;
  headers?: Fields;
  /**
   * Send no credential with this call.
   */
  credential?: false;
  /**
   * A path before the part that the credential adds.
   */
  pathPrefix?: string;
  /**
   * True for a response that reports a failure, whatever its status.
   */
  failed?: string;
  /**
   * Read in order for a failed response; the first entry that holds decides.
   *
   * @minItems 1
   * @maxItems 30
   */
  errors?: readonly AppError[];
  /**
   * A second request changes nothing: it may be sent again after a broken connection.
   */
  idempotent?: true;
  /**
   * Form of a list in the query, or in a form that is sent: `a[0]=1&a[1]=2` (default), `a[]=1&a[]=2` or `a=1&a=2`.
   */
  lists?: 'indices' | 'brackets' | 'repeat';
  /**
   * The response is text: `$response.body` is a string. Default: JSON.
   */
  answer?: 'text';
}
export interface AppPages {
  by: 'cursor' | 'page' | 'offset' | 'nextUrl' | 'linkHeader';
  /**
   * With `cursor` and `nextUrl`: path of the cursor or URL in the response body, or an expression that reads `$response`. No value: no further page.
   */
  next?: string;
  /**
   * With `cursor` and `nextUrl`: path of a field in the response body that is true while a page follows.
   */
  more?: string;
  /**
   * With `cursor`, `page` and `offset`: where the value is sent.
   */
  into?: string;
  /**
   * With `page`: number of the first page. Default: 1.
   */
  start?: number;
  /**
   * Where the number of entries is sent.
   */
  size?: {
    /**
     * Absent: the number is not sent.
     */
    into?: string;
    /**
     * Largest page that the service gives.
     */
    max: number;
  };
}
export interface AppList {
  let?: Let;
  /**
   * If an entry holds, there are no options, for the reason in its message.
   *
   * @maxItems 20
   */
  refuse?: readonly AppRefusal[];
  /**
   * Requests before the one for the list.
   *
   * @minItems 1
   * @maxItems 5
   */
  steps?: readonly AppStep[];
  call: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  /**
   * Pages by cursor.
   */
  pages?: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  list: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  label: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  value: string;
  /**
   * `here`: the labels are searched after they were fetched. `sent`: the request contains `$search`. Default: no search.
   */
  search?: 'here' | 'sent';
}
export interface AppKind {
  label: string;
  description: string;
  /**
   * Supported versions, ascending.
   *
   * @minItems 1
   */
  versions: readonly number[];
  groups: readonly ('input' | 'output' | 'trigger')[];
  /**
   * Credential types of the nodes; the first one whose condition holds is used.
   *
   * @maxItems 10
   */
  credentials?: readonly AppCredentialUse[];
  /**
   * Excludes a kind with operations from the tools that models can call.
   */
  usableAsTool?: false;
  differs?: readonly string[];
  parameters: readonly AppParameter[];
  let?: Let;
  /**
   * By `RESOURCE.OPERATION`, the values of these parameters; `OPERATION` or `default` for kinds without them.
   */
  operations?: {
    [k: string]: AppOperation;
  };
  webhook?: AppWebhook;
  poll?: AppPoll;
}
export interface AppOperation {
  let?: Let;
  /**
   * Items for which an entry holds fail with its message, before any request.
   *
   * @maxItems 20
   */
  refuse?: readonly AppRefusal[];
  /**
   * The call that the operation completes.
   */
  call?: string;
  /**
   * An expression if it depends on the item: the request is then never sent again.
   */
  method?: string;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  body?: Json;
  /**
   * Sends the body as a form.
   */
  form?: true;
  /**
   * Sends the body, a string, as it is; its type is in the header content-type. Default: text/plain.
   */
  text?: true;
  /**
   * If true, sends the body as multipart form data, which may hold files.
   */
  multipart?: true | string;
  idempotent?: true;
  pages?: Name;
  file?: AppFile;
  /**
   * Several requests, one after the other.
   *
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  rows?: AppRows;
  code?: AppCode;
  batch?: AppBatch;
  send?: AppSend;
  attachments?: AppAttachments;
  /**
   * Parameters of type `resourceMapper` whose values get the types of their columns if the expression is true.
   */
  typed?: Readonly<Record<string, string>>;
  /**
   * A string `={{ … }}`.
   */
  firstOnly?: string;
  /**
   * The items are run one after the other, and not ten at a time.
   */
  inOrder?: true;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  list?: string;
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  item?: Json;
}
/**
 * The response is or has a file, which is added to the item.
 */
export interface AppFile {
  /**
   * Path in the response body, which is JSON, of the file as Base64. Default: the response is the file.
   */
  from?: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  property?: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  name?: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  type?: string;
}
/**
 * Reads or writes a table, for all items at once. `read` reads the table; items with the same request share it. `columns` writes the header row `$header`, `write` the cells `$cells`, and `append` appends the rows `$rows`. Steps before it only read.
 */
export interface AppRows {
  mode: 'append' | 'update' | 'upsert' | 'read';
  let?: Let;
  /**
   * A string `={{ … }}`.
   */
  header?: string;
  /**
   * A string `={{ … }}`.
   */
  first?: string;
  /**
   * Name that stands for the number of a row, and is not a column.
   */
  rowNumber?: string;
  read: AppTableRead;
  find?: AppRowsFind;
  mapping?: AppRowsMapping;
  /**
   * A string `={{ … }}`.
   */
  extra?: string;
  /**
   * A string `={{ … }}`.
   */
  keepsColumns?: string;
  columns?: AppTableRequest;
  write?: AppTableRequest;
  append?: AppTableRequest;
}
export interface AppTableRead {
  call: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  idempotent?: true;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  table: string;
}
/**
 * How records are read.
 */
export interface AppRowsFind {
  /**
   * A string `={{ … }}`.
   */
  filters?: string;
  /**
   * A string `={{ … }}`.
   */
  matchesAll?: string;
  /**
   * A string `={{ … }}`.
   */
  firstOnly?: string;
  /**
   * A string `={{ … }}`.
   */
  firstOfEach?: string;
  /**
   * A string `={{ … }}`.
   */
  until?: string;
  /**
   * A string `={{ … }}`.
   */
  once?: string;
}
/**
 * How items become records.
 */
export interface AppRowsMapping {
  /**
   * Name of a parameter of type `resourceMapper`.
   */
  from: string;
  /**
   * The first version that has it. Default: all.
   */
  since?: number;
  before?: AppOldMapping;
}
/**
 * The mapping of older versions.
 */
export interface AppOldMapping {
  /**
   * A string `={{ … }}`.
   */
  mode: string;
  /**
   * A string `={{ … }}`.
   */
  match?: string;
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  values: Json;
  /**
   * A string `={{ … }}`.
   */
  adds?: string;
}
export interface AppTableRequest {
  call: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  idempotent?: true;
}
/**
 * The code decides which requests are sent and what the items are. It runs in a sealed process.
 */
export interface AppCode {
  /**
   * The calls that the code may request.
   *
   * @minItems 1
   * @maxItems 20
   */
  calls: readonly string[];
  /**
   * Scripts of the app that come before the source, in this order.
   *
   * @minItems 1
   * @maxItems 20
   */
  scripts?: readonly string[];
  values?: Fields1;
  /**
   * JavaScript.
   */
  source: string;
}
/**
 * One request for several items: for those whose requests differ in `$batch` only.
 */
export interface AppBatch {
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  of: Json;
  /**
   * Maximum number of items in one request.
   */
  max: number | string;
}
/**
 * The operation sends a message with links, `$send`, for the first item, and the run waits for the response. The kind gets the parameters of the message, of its buttons and its form.
 */
export interface AppSend {
  /**
   * Default label of the button that approves.
   */
  approve?: string;
  /**
   * Default label of the button that disapproves.
   */
  disapprove?: string;
  /**
   * Set if the service shows buttons in two styles.
   */
  styles?: true;
  /**
   * Set if the message may contain HTML.
   */
  html?: true;
  /**
   * Further fields of the parameter `options`.
   *
   * @maxItems 20
   */
  options?: readonly AppParameter[];
}
/**
 * Files that are downloaded into the output items.
 */
export interface AppAttachments {
  /**
   * The call that downloads an attachment, with `$attachment.url`.
   */
  call: string;
  /**
   * A string `={{ … }}`.
   */
  of: string;
}
/**
 * Starts runs with the calls of a service, which are `$request`: `headers`, `query` and `body`. Requests about the address read `$hook`: `url`, `secret` and `kept`.
 */
export interface AppWebhook {
  /**
   * Last part of the address, after the webhookId of the node.
   */
  path: string;
  /**
   * The service calls one address for each credential: only one active workflow can have it.
   */
  exclusive?: 'credential';
  register?: AppHookCall;
  check?: AppHookCheck;
  remove?: AppHookCall1;
  /**
   * How calls of the service are recognized; others are refused before a run starts.
   */
  verify: AppVerifyHeader | AppVerifyQuery | AppVerifySecret | AppVerifySignature;
  /**
   * How the service confirms that it may call the address.
   */
  handshake?: 'slack' | 'meta';
  let?: Let;
  /**
   * A string `={{ … }}`.
   */
  accept?: string;
  /**
   * Requests of the run before its items, such as downloads.
   *
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  items: Json;
}
/**
 * Tells the service the address. It may be made again, and must not add a second registration. Default: people enter the address in the service.
 */
export interface AppHookCall {
  let?: Let;
  call?: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  form?: true;
  /**
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  keep?: Json;
}
/**
 * Asks the service whether it still calls the address.
 */
export interface AppHookCheck {
  let?: Let;
  call?: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  form?: true;
  /**
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  /**
   * A string `={{ … }}`.
   */
  valid: string;
}
/**
 * Ends the registration. It must succeed if there is none.
 */
export interface AppHookCall1 {
  let?: Let;
  call?: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  form?: true;
  /**
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  keep?: Json;
}
export interface AppVerifyHeader {
  /**
   * Lower-case name of a header.
   */
  header: string;
  /**
   * The header has the secret of the hook.
   */
  equals: 'secret';
}
export interface AppVerifyQuery {
  /**
   * A parameter that `register` adds to the address, for services that neither sign their calls nor send a header.
   */
  query: string;
  /**
   * The parameter has the secret of the hook.
   */
  equals: 'secret';
}
export interface AppVerifySecret {
  scheme: 'github' | 'typeform';
  /**
   * Calls are signed with the secret of the hook.
   */
  signedWith: 'secret';
}
export interface AppVerifySignature {
  scheme: 'github' | 'slack' | 'twilio';
  /**
   * The field of the credential that has the key.
   */
  key: string;
  /**
   * Calls are accepted without a signature if the field is empty.
   */
  optional?: true;
}
/**
 * Starts runs with new entries of a list, at the times of the parameter `pollTimes`, which the kind gets.
 */
export interface AppPoll {
  let?: Let;
  /**
   * Requests before the one for the entries.
   *
   * @minItems 1
   * @maxItems 5
   */
  steps?: readonly AppStep[];
  call: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  pages?: Name;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  list: string;
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  key: Json;
  /**
   * A string `={{ … }}`.
   */
  newest?: string;
  /**
   * A string `={{ … }}`.
   */
  changes?: string;
  /**
   * A string `={{ … }}`.
   */
  max?: string;
  /**
   * Requests for each new entry. A step with `mail` may add files to the item.
   *
   * @minItems 1
   * @maxItems 5
   */
  each?: readonly AppStep[];
  /**
   * A string `={{ … }}`.
   */
  accept?: string;
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  item?: Json;
}
export interface AppError {
  /**
   * The entry counts if this is true. Default: always.
   */
  when?: string;
  /**
   * Message of the failure.
   */
  message?: string;
  /**
   * Send the request again after a delay.
   */
  retry?: true;
  /**
   * Seconds before the next try. Default: Retry-After, else 1, doubled with each try.
   */
  after?: string;
  /**
   * The response counts as a success.
   */
  ignore?: true;
}
/**
 * The response has a mail, which is read: `$steps.NAME.mail`.
 */
export interface AppMail {
  /**
   * Path in the response body of a mail in MIME, as Base64 (URL).
   */
  from: string;
  /**
   * A string `={{ … }}`.
   */
  attachments?: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  prefix?: string;
}
export interface AppStep {
  /**
   * Name under which later templates read the response: `$steps.NAME`.
   */
  as: string;
  /**
   * A string `={{ … }}`.
   */
  when?: string;
  /**
   * Equal requests of several items are sent once. Only for steps that read.
   */
  once?: true;
  /**
   * A string `={{ … }}`.
   */
  forEach?: string;
  /**
   * The list is fetched page by page.
   */
  pages?: string;
  /**
   * A string, or a string with `{{ }}` after `=`.
   */
  list?: string;
  call: Name;
  /**
   * An expression if it depends on the item: the request is then never sent again.
   */
  method?: string;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  mail?: AppMail;
  text?: true;
  form?: true;
  multipart?: true | string;
  idempotent?: true;
  file?: AppFile;
}
export interface AppOption {
  value: Json;
  label: string;
  since?: number;
  until?: number;
  refused?: string;
}
export interface AppGroup {
  name: string;
  label: string;
  fields: readonly AppParameter[];
}
export interface AppMode {
  name: 'list' | 'id' | 'name' | 'url' | 'username';
  label: string;
  /**
   * A regular expression whose first group is the value.
   */
  extract?: string;
  /**
   * With `list`: the list whose options editors offer.
   */
  list?: string;
}
export interface AppParameter {
  name: string;
  label: string;
  type:
    | 'string'
    | 'number'
    | 'boolean'
    | 'options'
    | 'multiOptions'
    | 'json'
    | 'dateTime'
    | 'collection'
    | 'fixedCollection'
    | 'resourceLocator'
    | 'resourceMapper';
  default?: Json;
  required?: boolean;
  options?: readonly AppOption[];
  /**
   * The list whose options editors offer; with `resourceMapper` the columns.
   */
  list?: string;
  fields?: readonly AppParameter[];
  groups?: readonly AppGroup[];
  /**
   * With `resourceLocator`: the ways to name a resource.
   *
   * @minItems 1
   */
  modes?: readonly AppMode[];
  multiple?: boolean;
  help?: string;
  shownWhen?: Conditions;
  hiddenWhen?: Conditions;
  since?: number;
  until?: number;
  refused?: string;
  editor?: 'json' | 'html' | 'multiline';
  placeholder?: string;
}
export interface AppHookCall2 {
  let?: Let;
  call?: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  form?: true;
  /**
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  /**
   * A value whose strings `={{ … }}` are expressions, resolved strictly.
   */
  keep?: Json;
}
export interface AppHookCheck1 {
  let?: Let;
  call?: Name;
  method?: Method;
  path?: TextTemplate;
  query?: Fields;
  headers?: Fields;
  body?: Template;
  form?: true;
  /**
   * @minItems 1
   * @maxItems 10
   */
  steps?: readonly AppStep[];
  /**
   * A string `={{ … }}`.
   */
  valid: string;
}
export interface AppRefusal {
  when: Expression;
  message: TextTemplate;
}
export interface AppCredentialUse {
  type: string;
  shownWhen?: Conditions;
}
