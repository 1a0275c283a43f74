import { Agent, request } from 'node:https';

/** Address of an API server and the token of a user with all permissions. */
export interface ApiAccess {
  readonly port: number;
  readonly token: string;
}

/** An answer of the API server that is not a success. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Calls the API server. @throws ApiError with its message */
export interface ApiClient {
  readonly get: <Answer>(path: string) => Promise<Answer>;
  /** @param method MERGE is a PATCH that merges */
  readonly send: (method: 'POST' | 'MERGE' | 'DELETE', path: string, body: object) => Promise<void>;
  readonly close: () => void;
}

const LIMIT_MS = 10_000;

/** A client over persistent connections. The certificate of a server on loopback is self-signed. */
export const createApiClient = ({ port, token }: ApiAccess): ApiClient => {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const ask = (method: string, path: string, type: string, body?: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': type,
        'content-length': Buffer.byteLength(text),
      };
      const sent = request({ host: '127.0.0.1', port, path, method, agent, headers, timeout: LIMIT_MS }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const said = Buffer.concat(parts).toString('utf8');
          const status = answer.statusCode ?? 0;
          if (status < 300) resolve(said);
          else reject(new ApiError(status, `${method} ${path}: ${status} ${said.slice(0, 500)}`));
        });
      });
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered within ${LIMIT_MS} ms.`)));
      sent.on('error', reject);
      sent.end(text);
    });
  return {
    get: async <Answer>(path: string) => {
      const answer: Answer = JSON.parse(await ask('GET', path, 'application/json'));
      return answer;
    },
    send: async (method, path, body) => {
      if (method === 'MERGE') await ask('PATCH', path, 'application/merge-patch+json', body);
      else await ask(method, path, 'application/json', body);
    },
    close: () => agent.destroy(),
  };
};

/** Ignores an error with that status, such as 409 for an existing object. */
export const unless = async (status: number, work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === status)) throw error;
  }
};
