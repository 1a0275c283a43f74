import type { Principal } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clients } from '../clients';
import type { RouteHandler } from '../handlers/api-handler';
import type { Answer } from '../middleware/responses/write-answer';

/** A call of the handler of a REST route, as that route would make it. */
export interface HandlerCall {
  readonly id?: string;
  /** The parameter of the path after the id. */
  readonly ref?: string;
  /** Query parameters as text; undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: JsonObject;
}

/** Calls handlers of REST routes for one caller: rights, audit and errors are theirs. */
export type CallHandler = (handler: RouteHandler, call?: HandlerCall) => Promise<Answer>;

const EMPTY = Buffer.alloc(0);

const queryOf = (query: NonNullable<HandlerCall['query']>): ReadonlyMap<string, string> =>
  new Map(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));

export const createCallHandler = (principal: Principal, clients: Clients, commit: string): CallHandler =>
  async function callHandler(handler, { id = '', ref = '', query = {}, headers = {}, body } = {}) {
    const answer = await handler(
      {
        principal,
        id,
        ref,
        query: queryOf(query),
        headers,
        // No tool tells addresses.
        ingressOrigin: () => '',
        commit,
        sharePage: (_page, read) => read(),
        body,
        bodyBytes: body === undefined ? EMPTY : Buffer.from(JSON.stringify(body)),
      },
      clients,
    );
    if ('open' in answer) throw new InternalError(new Error('A tool asked for a stream of events.'));
    return answer;
  };
