import type { Json } from '@weft/service-kit/json';
import { type Components, createComponents, type PlacedSchema } from './components';
import { ERROR_RESPONSE, type ErrorAnswer, errorAnswers } from './error-answers';
import { exampleOf, requestExample } from './examples';
import { describePathParameter } from './path-parameters';
import { BODY_REASONS, COMMON_REASONS, type Reason } from './reasons';
import { type AnswerDoc, type DocumentedRoute, type OwnHeader, TAGS } from './route-doc';

/** A part of the document, as JSON. */
export type Part = Readonly<Record<string, unknown>>;

const header = (description: string, schema: Part, required = false): Part => ({ description, required, schema });

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };

/** Headers of answers. */
const HEADERS: Readonly<Record<string, Part>> = {
  'X-Request-Id': header(
    'Id of the request in the logs; the id that the caller sent, if it is a plain word.',
    STRING,
    true,
  ),
  'X-RateLimit-Limit': header('Requests that the key may make per minute; absent if there is no limit.', INTEGER),
  'X-RateLimit-Remaining': header('Requests that are left in this minute.', INTEGER),
  'X-RateLimit-Reset': header('When the minute ends, in Unix seconds.', INTEGER),
  'Retry-After': header('Seconds after which to try again.', INTEGER, true),
  'WWW-Authenticate': header('How to authenticate.', STRING, true),
  Deprecation: header('Present with Basic authentication; a Link then refers to the explanation.', STRING),
  Link: header('Where the API is documented.', STRING),
  ETag: header('Names the state of the resource.', STRING, true),
  Location: header('The address of what was made.', STRING, true),
  'Preference-Applied': header('`return=minimal`.', STRING, true),
  'Content-Disposition': header('The file is to be saved, never shown.', STRING, true),
};

const LIMITED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Deprecation'];

const headersOf = (status: number, own: readonly OwnHeader[] = []): Part => {
  const names = [
    'X-Request-Id',
    ...(status === 401 ? ['WWW-Authenticate', 'Link'] : LIMITED),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...own,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const json = (schema: PlacedSchema, example?: Json): Part => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

/** A file of any type. The first entry is for client generators, which do not support ranges of types. */
const FILE: Part = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
  '*/*': { schema: { type: 'string', format: 'binary' } },
};

const answerPart = (
  status: number,
  { description, body, isFile, isEventStream, headers }: AnswerDoc,
  { place }: Components,
): Part => ({
  description,
  headers: headersOf(status, headers),
  ...(body === undefined
    ? {}
    : {
        content: {
          ...json(place(body), exampleOf(body)),
          ...(isEventStream === true ? { 'text/event-stream': { schema: STRING } } : {}),
        },
      }),
  ...(isFile === true ? { content: FILE } : {}),
});

const errorPart = ({ status, code, description, reasons }: ErrorAnswer, { place }: Components): Part => ({
  description,
  'x-code': code,
  'x-reasons': reasons,
  headers: headersOf(status),
  content: json(place(ERROR_RESPONSE)),
});

/** `/workflows/:id` in OpenAPI notation: `/workflows/{id}`. */
export const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const parametersOf = ({ path, query, doc }: DocumentedRoute): readonly Part[] => [
  ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: describePathParameter(path, name),
    schema: { type: 'string', minLength: 1 },
  })),
  ...query.map(({ name, description, schema }) => ({ name, in: 'query', description, schema })),
  ...(doc.headers ?? []).map(({ name, description, pattern }) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
  })),
];

/** The distinct reasons of a route. */
export const reasonsOfRoute = ({ body, doc }: Pick<DocumentedRoute, 'body' | 'doc'>): readonly Reason[] => [
  ...new Set([...COMMON_REASONS, ...(body === 'none' ? [] : BODY_REASONS), ...(doc.reasons ?? [])]),
];

interface Answers {
  /** Responses shared by operations, by name. */
  readonly shared: Map<string, Part>;
  readonly components: Components;
}

const responsesOf = (route: DocumentedRoute, { shared, components }: Answers): Part => {
  const good = Object.entries(route.doc.answers).map(
    ([status, answer]) => [status, answerPart(Number(status), answer, components)] as const,
  );
  const bad = errorAnswers(reasonsOfRoute(route)).map((error): readonly [string, Part] => {
    const part = errorPart(error, components);
    if (error.name === undefined) return [String(error.status), part];
    shared.set(error.name, part);
    return [String(error.status), { $ref: `#/components/responses/${error.name}` }];
  });
  return Object.fromEntries([...good, ...bad]);
};

const operation = (route: DocumentedRoute, answers: Answers): Part => {
  const { body, request, handler, doc } = route;
  const parameters = parametersOf(route);
  return {
    operationId: handler.name,
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: body === 'required',
            content: json(answers.components.place(request.schema), requestExample(route)),
          },
        }),
    responses: responsesOf(route, answers),
  };
};

/** The addresses outside the API that workflows define themselves. */
export const WEBHOOKS_AND_FORMS =
  'Webhooks and forms are not operations of this document, because workflows define them. `/webhook/{path}` accepts ' +
  'every method for which an active workflow listens, without an API key: the workflow decides about ' +
  'authentication and about the response, which names its execution in `X-Weft-Execution-Id`. A call with an ' +
  '`Idempotency-Key` that is repeated starts one run. `GET /form/{path}` shows a form, and `POST` submits it. ' +
  '`/webhook-waiting/{token}` and `/form-waiting/{token}` continue a run that waits. Errors have the same body as ' +
  'those of the API.';

const DESCRIPTION =
  'Stores workflows, graphs of nodes, and runs them. Every response that is not an error has its result in `data`. ' +
  'Every error is `{"error": {"code", "message", "details"}}`: programs act on `code` and, where it is present, on ' +
  '`details.reason`. Parameters of nodes are plain objects here; `GET /node-types` describes them.\n\n' +
  WEBHOOKS_AND_FORMS;

/** The OpenAPI document of a route table. */
export const makeDocument = (routes: readonly DocumentedRoute[]): Part => {
  const answers: Answers = { shared: new Map(), components: createComponents() };
  const paths = new Map<string, Record<string, Part>>();
  for (const route of routes) {
    const path = documentPath(route.path);
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation(route, answers) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weft',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1', description: 'The gateway that serves this document.' }],
    security: [{ ApiKey: [] }, { Basic: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SVC-API-KEY',
          description: 'Created in the console. A key has the role of its user.',
        },
        Basic: {
          type: 'http',
          scheme: 'basic',
          description: 'Email and password, where the operator has turned it on (`BASIC_AUTH`). Deprecated: use a key.',
        },
      },
      headers: HEADERS,
      responses: Object.fromEntries([...answers.shared].sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: answers.components.all(),
    },
  };
};
