import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import type { Stack } from '@weft/local-stack';
import { type Method, rpcMethods } from '../access-tables';

/** Beginnings of the names of methods that read. */
const READS = /^(?:list|get|read|query|stream)[A-Z]/;

/** Methods with the same response for all callers, generated from code. */
const CATALOGUES = new Set(['listNodeTypes', 'getNodeType', 'listCredentialTypes', 'getCredentialType']);

/** Methods that read from a service, not what a user has stored here. */
const OF_SERVICES = new Set(['listNodeOptions']);

/** Fields that name an entry, with the list of the REST API that has it. */
const LIST_OF_FIELD: Readonly<Record<string, string>> = {
  subscriptionId: 'event-subscriptions',
  executionId: 'executions',
  variableId: 'variables',
  retryJobId: 'retry-jobs',
  deliveryId: 'deliveries',
  credentialId: 'credentials',
  dataTableId: 'data-tables',
  userId: 'users',
  projectId: 'projects',
  workflowId: 'workflows',
  name: 'apps',
};
const PAGE = 100;
const MAX_PAGES = 200;
const LIMIT_MS = 30_000;

type Message = Readonly<Record<string, unknown>>;

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null;
const messageOf = (value: unknown): Message => (isMessage(value) ? value : {});

/** Methods by which users read what they have stored. */
export const readingMethods = (): readonly Method[] =>
  rpcMethods().filter(
    ({ name, rule }) => READS.test(name) && rule.users !== undefined && !CATALOGUES.has(name) && !OF_SERVICES.has(name),
  );

interface GrpcAnswer {
  readonly code: status;
  /** The messages as they came; empty if the call failed. */
  readonly message: Buffer;
  /** Metadata before and after them, with the message and the details of an error. */
  readonly around: Buffer;
}

const send = (client: Client, { path }: Method, message: Buffer, metadata: Metadata): Promise<GrpcAnswer> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    const around: Buffer[] = [];
    const keep = (metadata: Metadata): void => {
      for (const name of Object.keys(metadata.getMap()))
        around.push(Buffer.from(name), ...metadata.get(name).map((value) => Buffer.from(value)));
    };
    const stream = client.makeServerStreamRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      message,
      metadata,
      { deadline: Date.now() + LIMIT_MS },
    );
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', () => undefined);
    stream.on('metadata', keep);
    stream.on('status', ({ code, details, metadata: trailers }) => {
      keep(trailers);
      around.push(Buffer.from(details));
      resolve({ code, message: Buffer.concat(parts), around: Buffer.concat(around) });
    });
  });

/** Ids of files that the answer about an execution names. */
const filesIn = (text: string, executionId: string): string[] => [
  ...new Set([...text.matchAll(/"id":"([^"]+)"/g)].flatMap(([, id = '']) => (id.startsWith(executionId) ? [id] : []))),
];

/** A request for each version that an execution of its workflow names. */
const versionsIn = (request: Message, texts: ReadonlyMap<string, string>): readonly Message[] => {
  const named = `"workflowId":"${String(request['workflowId'])}"`;
  const found = [...texts.values()]
    .filter((text) => text.includes(named))
    .flatMap((text) => [...text.matchAll(/"versionId":"([^"]+)"/g)].map(([, id = '']) => id));
  return [...new Set(found)].slice(0, PAGE).map((versionId) => ({ ...request, versionId }));
};

/** Messages for a method: an empty one, and one for each entry that it can name. */
const requestsFor = ({ codec }: Method, texts: ReadonlyMap<string, string>): readonly Message[] => {
  const empty = messageOf(codec.requestDeserialize(Buffer.alloc(0)));
  const base = 'limit' in empty ? { ...empty, limit: PAGE } : empty;
  const entriesOf = (list: string): [id: string, text: string][] =>
    [...texts].flatMap(([path, text]) => {
      const [, found, id = ''] = /^\/([\w-]+)\/([^/?]+)$/.exec(path) ?? [];
      return found === list ? [[id, text]] : [];
    });
  if ('area' in base) return entriesOf('workflows').map(([value]) => ({ area: { $case: 'workflowId', value } }));
  if ('workflowIds' in base) return entriesOf('workflows').map(([id]) => ({ ...base, workflowIds: [id] }));
  const field = Object.keys(LIST_OF_FIELD).find((name) => name in base);
  if (field === undefined) return [base];
  const named = entriesOf(LIST_OF_FIELD[field] ?? '').flatMap(([id, text]) => {
    const request = { ...base, [field]: id };
    return 'fileId' in base ? filesIn(text, id).map((fileId) => ({ ...request, fileId })) : [request];
  });
  return [base, ...named.flatMap((request) => ('versionId' in base ? versionsIn(request, texts) : [request]))];
};

/** Reads that users can make over gRPC. */
export interface GrpcReads {
  /** By the method and the number of the call. */
  readonly answers: ReadonlyMap<string, Buffer>;
  /** Names of the methods that returned data. */
  readonly answered: ReadonlySet<string>;
}

/**
 * Calls every method that reads, page by page and for each entry, with the key of the owner.
 * @param texts answers of the REST API by their paths, which name the entries
 */
export const readEverythingOverGrpc = async (stack: Stack, texts: ReadonlyMap<string, string>): Promise<GrpcReads> => {
  const answers = new Map<string, Buffer>();
  const answered = new Set<string>();
  const metadata = new Metadata();
  metadata.set('x-svc-api-key', stack.apiKey);
  const clients = new Map<Method['host'], Client>();
  const clientOf = (host: Method['host']): Client => {
    const client = clients.get(host) ?? new Client(stack.grpcTargets[host], credentials.createInsecure());
    clients.set(host, client);
    return client;
  };
  const readPages = async (method: Method, first: Message): Promise<void> => {
    let request = first;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const message = method.codec.requestSerialize(request);
      const answer = await send(clientOf(method.host), method, message, metadata);
      const { code } = answer;
      answers.set(`${method.path} ${answers.size}`, Buffer.concat([answer.message, answer.around]));
      if (code !== status.OK) return;
      answered.add(method.name);
      const next = 'cursor' in request ? messageOf(method.codec.responseDeserialize(answer.message))['nextCursor'] : '';
      if (typeof next !== 'string' || next === '') return;
      request = { ...request, cursor: next };
    }
  };
  for (const method of readingMethods()) {
    for (const request of requestsFor(method, texts)) await readPages(method, request);
  }
  for (const client of clients.values()) client.close();
  return { answers, answered };
};
