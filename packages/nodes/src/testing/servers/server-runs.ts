import { isIP } from 'node:net';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryState } from '../memory-state';
import type { KindRun } from '../cases/run-kind';

/** A node of a kind that talks to a server, and the start of a response in its protocol. */
export interface ServerRun {
  /** The kind, and the protocol if it has several. */
  readonly name: string;
  readonly kind: string;
  /** Latin-1. Whatever is sent after it belongs to the same message and never completes it. */
  readonly begins: string;
  /** The run against a server on a port of a host; of this machine by default. */
  readonly run: (port: number, host?: string) => Omit<KindRun, 'version'>;
}

const HOST = '127.0.0.1';
const HTTP = 'HTTP/1.1 200 OK\r\ncontent-type: application/xml\r\n\r\n<a>';
const SSH = 'SSH-2.0-';
const LOGIN = { username: 'u', password: 'p' };

/** The address of a server in the forms that nodes take. */
interface Place {
  readonly host: string;
  readonly port: number;
}

const named = (...types: readonly string[]): JsonObject => ({
  credentials: Object.fromEntries(types.map((type) => [type, { id: 'c1', name: 'Login' }])),
});
const over = (
  kind: string,
  begins: string,
  run: (url: string, place: Place) => Omit<KindRun, 'version'>,
  name = kind,
): ServerRun => ({
  name,
  kind,
  begins,
  run: (port, host = HOST) => run(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, { host, port }),
});

const transfer = (protocol: 'ftp' | 'sftp', begins: string): ServerRun =>
  over(
    'ftp',
    begins,
    (_url, place) => ({
      node: named(protocol),
      credential: { ...LOGIN, ...place },
      parameters: { protocol, operation: 'list', path: '/' },
    }),
    `ftp over ${protocol}`,
  );
const database = (type: string, begins: string, parameters: JsonObject, kind = type): ServerRun =>
  over(kind, begins, (_url, place) => ({
    node: named(type),
    credential: { ...place, user: 'u', password: 'p', database: type === 'redis' ? 0 : 'd' },
    parameters,
  }));
const SESSION = { sessionIdType: 'customKey', sessionKey: 's' };
const STORE = { mode: 'load', prompt: 'a' };
/** The run of a vector store, with the sub-node that it needs. */
const embedding = ({ run, ...rest }: ServerRun): ServerRun => ({
  ...rest,
  run: (port, host) => ({ ...run(port, host), embeds: true }),
});
const bucket = (kind: 's3' | 'awsS3', type: string, endpointOf: (url: string) => JsonObject): ServerRun =>
  over(kind, HTTP, (url) => ({
    node: named(type),
    credential: { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret', region: 'us-east-1', ...endpointOf(url) },
    parameters: { resource: 'bucket', operation: 'getAll' },
  }));
const poll = (): Pick<KindRun, 'isStart' | 'mode' | 'kept'> => ({
  isStart: true,
  mode: 'trigger',
  kept: memoryState(),
});

/** Prompts of both generations of a kind. */
const HELLO = { values: [{ content: 'Hi' }] };

/** Every kind that talks to a user's server. A test fails if a kind is missing here. */
export const SERVER_RUNS: readonly ServerRun[] = [
  over('httpRequest', HTTP, (url) => ({ parameters: { url } })),
  over('langchain.toolHttpRequest', HTTP, (url) => ({ parameters: { url } })),
  over('langchain.mcpClient', HTTP, (url) => ({ parameters: { endpointUrl: url, tool: 't', inputMode: 'json' } })),
  over('langchain.mcpClientTool', HTTP, (url) => ({
    parameters: { endpointUrl: url, sseEndpoint: url },
    items: [{ tool: 't' }],
  })),
  over('langchain.openAi', HTTP, (url) => ({
    node: named('openAiApi'),
    credential: { apiKey: 'k', url },
    parameters: { modelId: 'm', messages: HELLO, responses: HELLO },
  })),
  over('openAi', HTTP, (url) => ({ node: named('openAiApi'), credential: { apiKey: 'k', url } })),
  over('langchain.googleGemini', HTTP, (url) => ({
    node: named('googlePalmApi'),
    credential: { apiKey: 'k', host: url },
    parameters: { modelId: 'm', messages: HELLO },
  })),
  over('langchain.anthropic', HTTP, (url) => ({
    node: named('anthropicApi'),
    credential: { apiKey: 'k', url },
    parameters: { modelId: 'm', messages: HELLO },
  })),
  over('langchain.ollama', HTTP, (url) => ({
    node: named('ollamaApi'),
    credential: { baseUrl: url },
    parameters: { modelId: 'm', messages: HELLO },
  })),
  over('graphql', HTTP, (url) => ({ parameters: { endpoint: url, query: '{ a }' } })),
  over('rssFeedRead', HTTP, (url) => ({ parameters: { url } })),
  over('rssFeedReadTrigger', HTTP, (url) => ({ ...poll(), parameters: { feedUrl: url } })),
  over('n8n', HTTP, (url) => ({ node: named('n8nApi'), credential: { apiKey: 'k', baseUrl: `${url}/api/v1` } })),
  bucket('s3', 's3', (endpoint) => ({ endpoint, forcePathStyle: true })),
  bucket('awsS3', 'aws', (s3Endpoint) => ({ customEndpoints: true, s3Endpoint })),
  transfer('ftp', '220-'),
  transfer('sftp', SSH),
  over('ssh', SSH, (_url, place) => ({
    node: named('sshPassword'),
    credential: { ...LOGIN, ...place },
    parameters: { command: 'true' },
  })),
  over('emailReadImap', '* OK ', (_url, place) => ({
    ...poll(),
    node: named('imap'),
    credential: { ...place, user: 'u', password: 'p', secure: false },
  })),
  over('emailSend', '220 ', (_url, place) => ({
    node: named('smtp'),
    credential: { ...place, secure: false },
    parameters: { fromEmail: 'a@example.com', toEmail: 'b@example.org', subject: 's', text: 't' },
  })),
  // The length of a message that never completes: an authentication request, a handshake, a message, and a line.
  database('postgres', 'R\0\0\x40\0', { operation: 'executeQuery', query: 'SELECT 1' }),
  database('mySql', '\xff\xff\0\0\n', { operation: 'executeQuery', query: 'SELECT 1' }),
  database('mongoDb', '\0\0\x40\0', { operation: 'find', collection: 'c', query: '{}' }),
  database('redis', '+', { operation: 'get', key: 'k' }),
  database('postgres', 'R\0\0\x40\0', SESSION, 'langchain.memoryPostgresChat'),
  database('mongoDb', '\0\0\x40\0', SESSION, 'langchain.memoryMongoDbChat'),
  database('redis', '+', SESSION, 'langchain.memoryRedisChat'),
  embedding(database('postgres', 'R\0\0\x40\0', STORE, 'langchain.vectorStorePGVector')),
  embedding(
    over('langchain.vectorStoreQdrant', HTTP, (url) => ({
      node: named('qdrantApi'),
      credential: { qdrantUrl: url, apiKey: 'k' },
      parameters: { ...STORE, qdrantCollection: 'c' },
    })),
  ),
  embedding(
    over('langchain.vectorStoreSupabase', HTTP, (url) => ({
      node: named('supabaseApi'),
      credential: { host: url, serviceRole: 'k' },
      parameters: { ...STORE, tableName: 't' },
    })),
  ),
];
