/** A person's identity at an OpenID provider: issuer and subject stay the same when the email changes. */
export interface Identity {
  /** URL of the provider, as in its ID tokens. */
  readonly issuer: string;
  readonly subject: string;
}

/** Store of users' identities. */
export interface IdentityStore {
  /** The user who has an identity. */
  readonly findUser: (identity: Identity) => Promise<string | undefined>;
  /**
   * Links an identity to a user permanently. Repeating it changes nothing.
   * @returns false if the identity belongs to another user, or the user has another identity of that issuer
   */
  readonly link: (identity: Identity, userId: string, at: Date) => Promise<boolean>;
  readonly removeOf: (userId: string) => Promise<void>;
}

/** Maximum length of an issuer in characters. */
export const MAX_ISSUER_LENGTH = 500;

/** Maximum length of a subject in characters: OpenID Connect Core, section 2. */
export const MAX_SUBJECT_LENGTH = 255;
