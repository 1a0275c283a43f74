import { StackError } from '@weft/local-stack';

const REQUEST_LIMIT_MS = 30_000;

/** Sends a request with a JSON body, if one is given. @throws StackError with its text if the answer is not 2xx */
export const requestJson = async (
  url: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown },
): Promise<{ readonly headers: Headers; readonly json: unknown }> => {
  const { method, headers, body } = init;
  const reply = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
  });
  const text = await reply.text();
  if (!reply.ok)
    throw new StackError(`${method} ${new URL(url).pathname} answered ${reply.status}: ${text.slice(0, 500)}`);
  return { headers: reply.headers, json: text === '' ? undefined : JSON.parse(text) };
};

/** The value of a field of a JSON object; undefined if there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
