import type { Principal } from '@weft/service-kit/auth';
import type { Json } from '@weft/service-kit/json';
import type { Clients } from '../clients';
import type { BodyUse } from '../middleware/bodies/read-json-body';
import type { Answer } from '../middleware/responses/write-answer';

/** The signed-in user. */
export interface SignedIn extends Principal {
  readonly email: string;
}

/** A request of a page. */
export interface PageRequest {
  readonly body: Json | undefined;
  /** Undefined if the request has no session. */
  readonly sessionToken: string | undefined;
  /** The sealed attempt to sign in with a credential that this browser began; empty if it began none. */
  readonly loginAttempt: string;
  readonly clientAddress: string;
  /** Label of the button for signing in with the identity provider; undefined if there is none. */
  readonly providerLabel: string | undefined;
  /** True if the page was reached over https. */
  readonly isSecure: boolean;
  /** The caller. @throws Unauthorized unless the session is valid */
  readonly signedIn: () => Promise<SignedIn>;
}

export type PageHandler = (request: PageRequest, clients: Clients) => Promise<Answer>;

/** One row of the page's own endpoints. */
export interface PageRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly body: BodyUse;
  readonly handler: PageHandler;
}
