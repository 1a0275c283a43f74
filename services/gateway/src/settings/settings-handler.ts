import type { Principal } from '@weft/service-kit/auth';
import type { Json } from '@weft/service-kit/json';
import type { Clients } from '../clients';
import type { Query, QueryParameter } from '../http/read-query';
import type { BodyUse } from '../middleware/read-json-body';
import type { Answer } from '../middleware/write-answer';

/** The signed-in user. */
export interface SignedIn extends Principal {
  readonly email: string;
}

/** A request of the settings page. */
export interface SettingsRequest {
  /** `:id` of the path; empty if the path has none. */
  readonly id: string;
  /** The parameter of the path after `:id`, such as `:userId`; empty if the path has none. */
  readonly ref: string;
  /** Query parameters by name; only those of the route, each given once. */
  readonly query: Query;
  readonly body: Json | undefined;
  /** Undefined if the request has no session. */
  readonly sessionToken: string | undefined;
  readonly clientAddress: string;
  /** Label of the button for signing in with the identity provider; undefined if there is none. */
  readonly providerLabel: string | undefined;
  /** True if the page was reached over https. */
  readonly isSecure: boolean;
  /** The caller. @throws Unauthorized unless the session is valid */
  readonly signedIn: () => Promise<SignedIn>;
}

export type SettingsHandler = (request: SettingsRequest, clients: Clients) => Promise<Answer>;

/** One row of the page's own endpoints, below /settings/api. */
export interface SettingsRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  /** Supported query parameters; none if absent. */
  readonly query?: readonly QueryParameter<unknown>[];
  readonly body: BodyUse;
  readonly handler: SettingsHandler;
}
