import type { IncomingMessage, ServerResponse } from 'node:http';

/** Path to which services lead browsers back, as registered for clients of n8n. */
export const RETURN_PATH = '/rest/oauth2-credential/callback';

/** True for a request of a browser that a service leads back. */
export const isReturn = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  method === 'GET' && (url === RETURN_PATH || url.startsWith(`${RETURN_PATH}?`));

/** Page of the console that completes the sign-in. */
const PAGE = '/console/oauth2';

const PASSED_ON = ['code', 'state', 'error'] as const;
const MAX_LENGTH = 4_000;

/**
 * Leads a browser that returns from a service to the console. Only a page of this site gets the strict cookies of the
 * session and of the attempt, which decide whether the sign-in is completed: this request changes nothing. The
 * fragment is not sent anywhere.
 */
export const leadToConsole = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
  const given = new URLSearchParams(url.slice(RETURN_PATH.length));
  const passed = new URLSearchParams();
  for (const name of PASSED_ON) {
    const value = given.get(name) ?? '';
    if (value !== '' && value.length <= MAX_LENGTH) passed.set(name, value);
  }
  response
    .writeHead(303, {
      location: `${PAGE}#${passed}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-length': 0,
    })
    .end();
};
