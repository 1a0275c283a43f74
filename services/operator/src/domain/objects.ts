import type { JsonObject } from '@weft/apply';

/** Group and version of the custom resources. */
export const API_VERSION = 'weft.dev/v1alpha1';
/** Set before the first write to Weft; the object is gone only after the operator has removed it. */
export const FINALIZER = 'weft.dev/cleanup';
/** With the value `"true"`, the object takes over a workflow or credential that it does not manage yet. */
export const ADOPT = 'weft.dev/adopt';
/** Secret of a namespace with `key` and `project`. */
export const KEY_SECRET = 'weft';

export type Kind = 'WeftWorkflow' | 'WeftCredential' | 'WeftApp';

export type ConditionType = 'Ready' | 'Synced' | 'CredentialsResolved' | 'Activated' | 'Reconciling' | 'Stalled';

export type Reason =
  | 'Active'
  | 'Inactive'
  | 'Applied'
  | 'Drifted'
  | 'Refused'
  | 'TooLarge'
  | 'KeyTaken'
  | 'NoKey'
  | 'Forbidden'
  | 'Resolved'
  | 'Missing'
  | 'Ambiguous'
  | 'SecretMissing'
  | 'Registered'
  | 'WebhookPathTaken'
  | 'NotRunnable'
  | 'WeftUnavailable'
  | 'RateLimited'
  | 'WaitingForReferences'
  | 'ReferenceMissing'
  | 'WeftTooOld';

/** A condition as Kubernetes defines it. */
export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason;
  readonly message: string;
  readonly observedGeneration: number;
  /** RFC 3339, in seconds. */
  readonly lastTransitionTime: string;
}

export interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ConfigMapKey {
  readonly name: string;
  readonly key: string;
}

/** The fields that the structural schema defaults are always present. */
export interface WorkflowSpec {
  readonly active: boolean;
  /** Exactly one of the two; absent in the operator's memory, which holds no definitions. */
  readonly definition?: JsonObject;
  readonly definitionFrom?: { readonly configMapKeyRef: ConfigMapKey };
  readonly driftPolicy: 'Revert' | 'Warn';
  readonly deletionPolicy: 'Deactivate' | 'Delete' | 'Orphan';
  readonly suspend: boolean;
}

/** A webhook of a workflow, as status shows it. */
export interface WebhookStatus {
  readonly method: string;
  readonly url: string;
}

export interface WorkflowStatus {
  readonly observedGeneration?: number;
  readonly workflowId?: string;
  readonly versionId?: string;
  readonly active?: boolean;
  readonly webhooks?: readonly WebhookStatus[];
  /** Time of the last write to Weft. */
  readonly lastSyncedAt?: string;
  readonly conditions?: readonly Condition[];
}

export interface WeftWorkflow {
  readonly metadata: Metadata;
  readonly spec: WorkflowSpec;
  readonly status?: WorkflowStatus;
}

export interface CredentialSpec {
  readonly type: string;
  readonly name: string;
  /** Fields that are not secret. */
  readonly values?: JsonObject;
  /** Fields of the credential by keys of the Secret. */
  readonly secretRef?: { readonly name: string; readonly keys: Readonly<Record<string, string>> };
  readonly deletionPolicy: 'Delete' | 'Orphan';
}

export interface CredentialStatus {
  readonly observedGeneration?: number;
  readonly credentialId?: string;
  /** Of the Secret whose values were sent last. No hash of it: that would allow guesses. */
  readonly secretResourceVersion?: string;
  readonly lastSyncedAt?: string;
  readonly conditions?: readonly Condition[];
}

export interface WeftCredential {
  readonly metadata: Metadata;
  readonly spec: CredentialSpec;
  readonly status?: CredentialStatus;
}

export interface AppSpec {
  /** The app file, as text: the API server would sort the fields of an object. Exactly one of the two. */
  readonly app?: string;
  readonly appFrom?: { readonly configMapKeyRef: ConfigMapKey };
  readonly driftPolicy: 'Revert' | 'Warn';
  readonly deletionPolicy: 'Delete' | 'Orphan';
  readonly suspend: boolean;
}

export interface AppStatus {
  readonly observedGeneration?: number;
  /** Name of the app in Weft. */
  readonly appName?: string;
  /** Of the revision that was last applied. */
  readonly digest?: string;
  readonly lastSyncedAt?: string;
  readonly conditions?: readonly Condition[];
}

export interface WeftApp {
  readonly metadata: Metadata;
  readonly spec: AppSpec;
  readonly status?: AppStatus;
}

/** True if the object asks to take over what it does not manage. */
export const wantsAdoption = ({ annotations }: Metadata): boolean => annotations?.[ADOPT] === 'true';

export const hasFinalizer = ({ finalizers }: Metadata): boolean => finalizers?.includes(FINALIZER) ?? false;

/** The key of a workflow in Weft: unique within the instance, and the same as long as the object has its name. */
export const keyOf = (cluster: string, { namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
  `k8s/${cluster}/${namespace}/${name}`;

/** The set of all workflows of a namespace. */
export const setOf = (cluster: string, namespace: string): string => `k8s/${cluster}/${namespace}`;
