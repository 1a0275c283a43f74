import type { Principal } from '@weft/service-kit/auth';
import type { Json } from '@weft/service-kit/json';
import type { IncomingHttpHeaders } from 'node:http';
import type { Query } from '../http/read-query';
import type { Clients } from '../clients';
import type { TextAnswer } from '../middleware/responses/write-answer';

/** A request about users or what they manage. */
export interface IdentityRequest {
  readonly principal: Principal;
  /** `:id` of the path; empty if the path has none. */
  readonly id: string;
  /** The parameter of the path after `:id`, such as `:userId`; empty if the path has none. */
  readonly ref: string;
  /** Query parameters by name; only those of the route, each given once. */
  readonly query: Query;
  readonly body: Json | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Turns a request into calls, and their results into a response. */
export type IdentityHandler = (request: IdentityRequest, clients: Clients) => Promise<TextAnswer>;
