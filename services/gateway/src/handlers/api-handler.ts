import type { Principal } from '@weft/service-kit/auth';
import type { ShareReads } from '@weft/service-kit/batching';
import type { Json } from '@weft/service-kit/json';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clients } from '../clients';
import type { Query, QueryParameter } from '../http/read-query';
import type { Shape } from '../http/shape';
import type { BodyUse } from '../middleware/bodies/read-json-body';
import type { Answer, EventStreamAnswer } from '../middleware/responses/write-answer';
import type { RouteDoc } from '../openapi/route-doc';
import type { PageText } from './list-answer';

/** The browser of a session of the console. */
export interface BrowserSession {
  readonly sessionToken: string;
  /** Scheme, host and port by which it reaches the gateway. */
  readonly origin: string;
  /** True if it uses https. */
  readonly isSecure: boolean;
}

/** An authenticated request to the API, within its limits. */
export interface ApiRequest {
  readonly principal: Principal;
  /** `:id` of the path; empty if the path has none. */
  readonly id: string;
  /** The parameter of the path after `:id`, such as `:versionId`; empty if the path has none. */
  readonly ref: string;
  /** Query parameters by name; only those of the route, each given once. */
  readonly query: Query;
  readonly headers: IncomingHttpHeaders;
  /** Scheme, host and port of the addresses of webhooks, as the caller reaches them. */
  readonly ingressOrigin: () => string;
  /** Absent for a caller with an API key. */
  readonly browser?: BrowserSession;
  /** The commit that this process was built from. */
  readonly commit: string;
  /** Reads a page of this list; this caller's concurrent requests for the same address share a read (decision 0032). */
  readonly sharePage: ShareReads<PageText>;
  /** The parsed body; undefined if there is none. */
  readonly body: Json | undefined;
  /** The raw body; empty if there is none. */
  readonly bodyBytes: Buffer;
}

/** Turns a request into calls and their results into a response. Errors are thrown. */
export type ApiHandler = (request: ApiRequest, clients: Clients) => Promise<Answer>;

/** The same for a route that can also send events until the client leaves. */
export type RouteHandler = (request: ApiRequest, clients: Clients) => Promise<Answer | EventStreamAnswer>;

/** One row of the route table. The called service decides who may call. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1. */
  readonly path: string;
  /** Supported query parameters; any other is refused. */
  readonly query: readonly QueryParameter<unknown>[];
  readonly body: BodyUse;
  /** True if it starts executions: every error says whether it did. */
  readonly starts?: true;
  /** The body that the handler reads; absent if it reads none. */
  readonly request?: Shape<unknown>;
  /** Its name is the `operationId` in the OpenAPI document. */
  readonly handler: RouteHandler;
  readonly doc: RouteDoc;
}
