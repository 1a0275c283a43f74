import { ModelError } from '../model-error';
import type { ModelEndpoint } from './model-endpoint';

/** The same error, without secrets that the service repeated. */
export function maskedError(
  error: ModelError,
  { apiKey = '', headers = [] }: Pick<ModelEndpoint, 'apiKey' | 'headers'>,
): ModelError {
  const secrets = [apiKey, ...headers.map(([, value]) => value)].filter((secret) => secret.length >= 8);
  const message = secrets.reduce(withoutSecret, error.message);
  if (message === error.message) return error;
  const { status, retryAfterMs } = error;
  return new ModelError(error.code, message, {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Removes a secret, and its start where an excerpt ends within it. */
function withoutSecret(text: string, secret: string): string {
  let clean = text.replaceAll(secret, '***');
  for (let length = secret.length - 1; length >= 8; length -= 1)
    clean = clean.replaceAll(`${secret.slice(0, length)}…`, '***…');
  return clean;
}
