/** A user-defined app without its document. */
export interface AppSummary {
  /** Unique. */
  readonly name: string;
  readonly label: string;
  /** Of the document, such as `sha256:…`; identifies the revision. */
  readonly digest: string;
  /** Names of its node kinds, or whole types of other packages; each belongs to one app. */
  readonly kinds: readonly string[];
  /** Size of the document. */
  readonly bytes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Id of the user who stored the revision. */
  readonly updatedBy: string;
}

/** A user-defined app. */
export interface StoredApp extends AppSummary {
  /** The document as canonical JSON. */
  readonly json: string;
}

/** Store of apps. Every method throws Unavailable if the database cannot be reached. */
export interface AppStore {
  /** All, by name. */
  readonly list: () => Promise<readonly AppSummary[]>;
  /** The existing ones among the names, in no particular order. */
  readonly find: (names: readonly string[]) => Promise<readonly StoredApp[]>;
  /** Apps with one of the kinds. */
  readonly findByKinds: (kinds: readonly string[]) => Promise<readonly AppSummary[]>;
  /** `kind-taken` if another app has one of its kinds, or an app of this name exists by now. */
  readonly insert: (app: StoredApp) => Promise<'done' | 'kind-taken'>;
  /** `changed` if the app does not have the digest `seen` any more. */
  readonly replace: (app: StoredApp, seen: string) => Promise<'done' | 'changed' | 'kind-taken'>;
  /** False if the app does not exist, or has another digest. */
  readonly remove: (name: string, seen: string) => Promise<boolean>;
}
