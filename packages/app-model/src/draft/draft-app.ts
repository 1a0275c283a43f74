import { type Json, type JsonObject, objectField, textField } from '@weft/service-kit/json-values';
import type { AppParameter } from '../app-document.gen';
import { type BaseUrl, baseUrlOf } from './base-url';
import {
  chooseCredentials,
  credentialNote,
  credentialParts,
  type OperationSecurity,
  securityOf,
} from './draft-credentials';
import { errorPathOf, hintsOf } from './draft-hints';
import { type NamedOperation, nameOperations } from './draft-names';
import { draftRequest, type DraftRequest } from './draft-parameters';
import type { ApiOperation } from './find-operations';
import { appNameOf, firstSentence, identifierOf, oneLine } from './names';
import { DraftError, type OpenApi } from './read-openapi';
import type { References } from './references';
import { type ApiRequest, repeatsLists, requestOf } from './request-fields';
import type { Comment } from './write-draft';

const MAX_HOSTS = 20;
const MAX_CALLS = 20;
const MAX_REFERENCES = 5;

/** Names that the document does not decide. */
export interface DraftNames {
  readonly name?: string | undefined;
  /** Type of the node kind. */
  readonly kind?: string | undefined;
}

/** An app, with comments on the parts that a person has to write. */
export interface AppDraft {
  readonly document: JsonObject;
  readonly comments: readonly Comment[];
}

/** An operation with everything that is read of it. */
interface Drafted extends NamedOperation {
  readonly base: BaseUrl;
  readonly security: OperationSecurity;
  readonly read: ApiRequest;
  readonly request: DraftRequest;
  readonly call: string;
}

/** Drafts an app with these operations. @throws DraftError if they need more hosts or calls than an app has */
export function draftDocument(
  openApi: OpenApi,
  references: References,
  operations: readonly ApiOperation[],
  names: DraftNames,
): AppDraft {
  const calls = new Map<string, { readonly name: string; readonly content: JsonObject; readonly base: BaseUrl }>();
  const read = nameOperations(operations).map((named) => {
    const request = requestOf(openApi, references, named.operation);
    const base = baseUrlOf(openApi, named.operation);
    return { ...named, base, security: securityOf(openApi, references, named.operation), read: request };
  });
  const hosts = [...new Set(read.map(({ base }) => base.host))];
  if (hosts.length > MAX_HOSTS)
    throw new DraftError(`The operations are at ${hosts.length} hosts. An app has ${MAX_HOSTS} at most.`);
  const credentials = chooseCredentials(
    read.map((one) => one.security),
    hosts,
  );
  const isSecured = credentials.types.length > 0 && read.some(({ security }) => security.types.length > 0);
  const drafted = read.map((one): Drafted => {
    const isOpen = isSecured && one.security.types.length === 0;
    const content = objectOf({
      url: one.base.url,
      credential: isOpen ? false : undefined,
      lists: repeatsLists(one.read) ? 'repeat' : undefined,
    });
    const known = calls.get(JSON.stringify(content)) ?? {
      name: `api${calls.size === 0 ? '' : calls.size + 1}`,
      content,
      base: one.base,
    };
    calls.set(JSON.stringify(content), known);
    return { ...one, request: draftRequest(one.operation.path, one.read), call: known.name };
  });
  if (calls.size > MAX_CALLS)
    throw new DraftError(`The operations need ${calls.size} calls. An app has ${MAX_CALLS} at most: choose fewer.`);
  const info = objectField(openApi.root, 'info');
  const title = oneLine(textField(info, 'title') ?? '');
  const name = names.name ?? appNameOf(title);
  const label = title.slice(0, 60).trim() || name;
  const kind = names.kind ?? identifierOf(name, 'app');
  const parts = credentialParts(credentials);
  const document = {
    weftApp: 1,
    name,
    label,
    hosts,
    credentials: parts.app,
    calls: Object.fromEntries([...calls.values()].map((call) => [call.name, call.content])),
    kinds: {
      [kind]: objectOf({
        label,
        description: firstSentence(textField(info, 'description') ?? '') || `Calls ${label}.`,
        versions: [1],
        groups: ['output'],
        credentials: parts.kind.length === 0 ? undefined : parts.kind,
        parameters: [...parts.parameters, ...selectors(drafted), ...parametersOf(drafted)],
        operations: Object.fromEntries(drafted.map((one) => [one.key, operationOf(one)])),
      }),
    },
  };
  const errorPath = errorPathOf(references, operations);
  const comments: Comment[] = [
    {
      path: [],
      text: [`Draft from the OpenAPI document of ${label}. Write what the comments with TODO name, and remove them.`],
    },
    ...(references.unresolved.size === 0
      ? []
      : [
          {
            path: [],
            text: [`TODO references that lead to nothing: ${unresolvedOf(references)}`],
          },
        ]),
    { path: ['credentials'], text: [credentialNote(credentials)] },
    ...[...calls.values()].map(({ name: call, base }, index) => ({
      path: ['calls', call],
      text: [
        ...(base.note === undefined ? [] : [`TODO url: ${base.note}`]),
        ...(index === 0 ? [errorsHint(label, errorPath)] : []),
      ],
    })),
    {
      path: ['kinds', kind],
      text: ['TODO names: labels, help, and the values of resource and operation, which workflows store.'],
    },
    ...drafted.map((one) => ({
      path: ['kinds', kind, 'operations', one.key],
      text: [
        oneLine(`${one.operation.method} ${one.operation.path}`),
        ...hintsOf(references, one.operation, one.read).map((hint) => `TODO ${oneLine(hint)}`),
      ],
    })),
  ];
  return { document, comments };
}

const unresolvedOf = ({ unresolved }: References): string =>
  [...unresolved].slice(0, MAX_REFERENCES).map(oneLine).join(', ');

const errorsHint = (label: string, path: string | undefined): string => {
  const service = label.replaceAll(/['\\]/g, '');
  const message = `={{ '${service} refused the request: ' + $response.body?.${path ?? 'message'} }}`;
  return `TODO errors: such as errors: [{ message: "${message}" }]`;
};

/** The parameters `resource` and `operation`. */
function selectors(drafted: readonly Drafted[]): Json[] {
  const resources = new Map(
    drafted.flatMap(({ resource }) => (resource === undefined ? [] : [[resource.value, resource.label]])),
  );
  const [first = ''] = resources.keys();
  const resource = {
    name: 'resource',
    label: 'Resource',
    type: 'options',
    default: first,
    help: 'Resource that the operation is about.',
    options: [...resources].map(([value, label]) => ({ value, label })),
  };
  const groups = resources.size === 0 ? [undefined] : [...resources.keys()];
  const operations = groups.map((group) => {
    const own = drafted.filter((one) => one.resource?.value === group);
    return objectOf({
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: own[0]?.value ?? '',
      help: 'Operation of the node.',
      shownWhen: group === undefined ? undefined : { resource: [group] },
      options: own.map(({ value, label }) => ({ value, label })),
    });
  });
  return [...(resources.size === 0 ? [] : [resource]), ...operations];
}

/** The parameters of all operations. Equal ones of a resource are one parameter, shown for several operations. */
function parametersOf(drafted: readonly Drafted[]): Json[] {
  const found = new Map<
    string,
    { readonly one: AppParameter; readonly resource: string | undefined; readonly operations: string[] }
  >();
  for (const { resource, value, request } of drafted)
    for (const one of request.parameters) {
      const id = JSON.stringify([resource?.value, one]);
      const known = found.get(id) ?? { one, resource: resource?.value, operations: [] };
      known.operations.push(value);
      found.set(id, known);
    }
  return [...found.values()].map(({ one, resource, operations }) => ({
    ...asJson(one),
    shownWhen: objectOf({ resource: resource === undefined ? undefined : [resource], operation: operations }),
  }));
}

function operationOf({ request, read, call, operation }: Drafted): JsonObject {
  const { let: values, path, query, headers, body } = request;
  const isSentAs = (form: ApiRequest['body']): true | undefined =>
    (body !== undefined && read.body === form) || undefined;
  return objectOf({
    let: values,
    call,
    method: operation.method === 'GET' ? undefined : operation.method,
    path,
    query,
    headers,
    form: isSentAs('form'),
    multipart: isSentAs('multipart'),
    text: isSentAs('text'),
    body,
  });
}

/** A JSON object of the members that are not undefined. */
const objectOf = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((one): one is [string, Json] => one[1] !== undefined));

/** A value that consists of JSON, as JSON. */
function asJson(value: object): JsonObject {
  const json: JsonObject = JSON.parse(JSON.stringify(value));
  return json;
}
