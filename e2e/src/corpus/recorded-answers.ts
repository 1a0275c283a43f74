import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from './places';

/** A request as the stand-in internet sees it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Its answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer that was recorded with the corpus, and which request it belongs to. */
export interface RecordedAnswer {
  readonly base: string;
  readonly method: string;
  readonly path: string;
  /** True if the recording ignores the query. */
  readonly query?: boolean;
  readonly requestBody?: unknown;
  readonly matchHeaders?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Replaces a body that was computed: such an answer cannot be given from the recording. */
  readonly replyFunction?: string;
}

/** The recorded answers of the corpus, read where they are. */
export const readRecordedAnswers = (): readonly RecordedAnswer[] => {
  const folder = join(corpus, 'n8n-node-tests', 'mocks');
  return readdirSync(folder).flatMap((file) => {
    const { mocks }: { mocks: readonly RecordedAnswer[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return mocks.filter(({ replyFunction }) => replyFunction === undefined);
  });
};

/** Headers that depend on the HTTP library, not on the node. */
const OF_THE_LIBRARY = ['accept-encoding', 'content-length'];

/** True if a recorded answer belongs to a request. */
export const belongsTo = (recorded: RecordedAnswer, request: SeenRequest): boolean => {
  const wanted = new URL(recorded.path, recorded.base);
  return (
    recorded.method === request.method &&
    wanted.origin === request.url.origin &&
    wanted.pathname === request.url.pathname &&
    (recorded.query === true || wanted.search === request.url.search) &&
    Object.entries(recorded.matchHeaders ?? {}).every(
      ([name, value]) => OF_THE_LIBRARY.includes(name) || request.headers[name.toLowerCase()] === value,
    ) &&
    (recorded.requestBody === undefined || sameBody(recorded.requestBody, request.body))
  );
};

const sameBody = (recorded: unknown, body: string): boolean => {
  if (typeof recorded === 'string') return recorded === body;
  const form = Object.fromEntries(new URLSearchParams(body));
  return [body, JSON.stringify(form)].some(
    (text) => text.startsWith('{') && JSON.stringify(JSON.parse(text)) === JSON.stringify(recorded),
  );
};

/** The answer as it goes over the wire. */
export const answerOf = ({ status, body, responseHeaders = {} }: RecordedAnswer): Answer => {
  if (typeof body === 'string') return { status, headers: responseHeaders, body: Buffer.from(body) };
  if (typeof body === 'object' && body !== null && '$base64' in body)
    return { status, headers: responseHeaders, body: Buffer.from(String(body.$base64), 'base64') };
  return {
    status,
    headers: { 'content-type': 'application/json', ...responseHeaders },
    body: Buffer.from(JSON.stringify(body ?? {})),
  };
};
