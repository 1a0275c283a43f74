/** A refresh under way, or one whose outcome is unknown. */
export interface RefreshLease {
  /** Random, of the replica's attempt. */
  readonly id: string;
  /** Until then no other refresh begins. */
  readonly until: Date;
  /** SHA-256 of the refresh token that was sent, in base64url. */
  readonly tokenHash: string;
}

/** State of the sign-in of a credential, stored next to its sealed data. Contains no secret. */
export interface OAuth2State {
  /** `needsLogin`: a user has to sign in before the credential can be used. */
  readonly login: 'signedIn' | 'needsLogin';
  /** With `needsLogin`: the reason, in a sentence for users; empty otherwise. */
  readonly message: string;
  /** When the service withdrew the sign-in; absent if no user has signed in yet. */
  readonly lostAt?: Date;
  /** Number of revisions that a service and its tokens caused, not a user: the etag leaves them out. */
  readonly refreshes: number;
  readonly lease?: RefreshLease;
}

/** No user has signed in yet. */
export const NOT_SIGNED_IN: OAuth2State = {
  login: 'needsLogin',
  message: 'No user has signed in with it yet.',
  refreshes: 0,
};

/** The credential has tokens. */
export const SIGNED_IN: OAuth2State = { login: 'signedIn', message: '', refreshes: 0 };
