import { PERSON } from '../peers/identity';
import type { Ask, TestGateway } from './start-gateway';

const PAGE = { 'x-weft-console': '1' };

/** Calls the endpoints of the console as its page does; `signedIn` creates the headers of a session. */
export const consolePageOf = (gateway: TestGateway) => {
  const page = (method: string, path: string, params: Ask = {}) =>
    gateway.ask(method, `/console/api${path}`, { ...params, headers: { ...PAGE, ...params.headers } });
  const signedIn = async (): Promise<{ readonly headers: { readonly cookie: string } }> => {
    const { headers } = await page('POST', '/session', { body: PERSON });
    return { headers: { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' } };
  };
  return { page, signedIn };
};
