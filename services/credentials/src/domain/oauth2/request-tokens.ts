/** The grant of a token request. */
export type TokenGrant =
  | {
      readonly kind: 'code';
      readonly code: string;
      readonly redirectUri: string;
      /** PKCE verifier; empty if the service refuses PKCE. */
      readonly verifier: string;
    }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

/** Tokens of a response. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** Undefined: the service issued none, and one that was sent stays valid. */
  readonly refreshToken: string | undefined;
  /** Undefined: the service did not say. */
  readonly expiresInSeconds: number | undefined;
  /** Empty: the scopes that were asked for. */
  readonly scope: string;
}

/** Outcome of a token request. */
export type TokenOutcome =
  | { readonly kind: 'issued'; readonly tokens: IssuedTokens }
  | {
      readonly kind: 'refused';
      /** The service's word, for example `invalid_grant`; empty if it gave none. */
      readonly code: string;
      /** In a sentence without secrets. */
      readonly message: string;
    }
  /** Nothing is known about the request: the service may have acted on it. */
  | { readonly kind: 'unanswered'; readonly message: string };

/**
 * Lets a runner, which has guarded network access, send one request to the token endpoint of a credential.
 * @throws Unavailable, TimedOut if no runner answered: the service may have acted on the request
 */
export type RequestTokens = (request: {
  readonly type: string;
  readonly dataJson: string;
  readonly grant: TokenGrant;
}) => Promise<TokenOutcome>;
