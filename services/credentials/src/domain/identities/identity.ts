/** A person as an OpenID provider names it: issuer and subject stay the same when the email changes. */
export interface Identity {
  /** URL of the provider, as in its ID tokens. */
  readonly issuer: string;
  readonly subject: string;
}

/** Store of the identities that belong to users. */
export interface IdentityStore {
  /** The user to whom an identity belongs. */
  readonly findUser: (identity: Identity) => Promise<string | undefined>;
  /**
   * Gives an identity to a user, for good. Repeating it changes nothing.
   * @returns false if the identity belongs to another user, or the user has another identity of that issuer
   */
  readonly link: (identity: Identity, userId: string, at: Date) => Promise<boolean>;
  readonly removeOf: (userId: string) => Promise<void>;
}

/** Longest issuer in characters. */
export const MAX_ISSUER_LENGTH = 500;

/** Longest subject in characters: OpenID Connect Core, section 2. */
export const MAX_SUBJECT_LENGTH = 255;
