import type { CheckResult, JsonObject, ListedWorkflow } from '@weft/apply';
import type { Failure } from './failures';
import type { WebhookStatus, WeftWorkflow, WorkflowStatus } from './objects';

/** A definition, and what identifies its content: the generation of the object, or the version of its ConfigMap. */
export interface Source {
  readonly version: string;
  readonly definition: JsonObject;
}

export type SourceFact =
  { readonly state: 'found'; readonly source: Source } | { readonly state: 'missing'; readonly message: string };

/** The last reconciliation that left Weft equal to the object: until one of them changes, there is nothing to do. */
export interface Synced {
  readonly generation: number;
  readonly sourceVersion: string;
  readonly etag: string;
  readonly webhooks: readonly WebhookStatus[];
}

/** A write to Weft. */
export type Write =
  | { readonly action: 'create'; readonly definition: JsonObject; readonly active: boolean }
  | { readonly action: 'replace'; readonly workflow: ListedWorkflow; readonly definition: JsonObject }
  | { readonly action: 'activate' | 'deactivate' | 'delete'; readonly workflow: ListedWorkflow };

/** Where to look for a workflow that has another key than that of the object. */
export interface AdoptedFrom {
  readonly key: string | undefined;
  readonly id: string | undefined;
}

/** Everything known in one reconciliation. Each decision asks for one more fact, or for one write. */
export interface WorkflowFacts {
  readonly object: WeftWorkflow;
  readonly now: number;
  readonly cluster: string;
  /** Prefix of webhook addresses, without a slash at the end. */
  readonly publicUrl: string;
  /** When the operator began to work: time before that does not count towards the limit of a deletion. */
  readonly startedAt: number;
  readonly synced?: Synced | undefined;
  readonly source?: SourceFact;
  readonly found?: { readonly workflow: ListedWorkflow | undefined };
  /** The workflow to adopt was looked for. */
  readonly hasSearched?: boolean;
  readonly check?: CheckResult;
  /** Writes of this reconciliation that succeeded. */
  readonly written: readonly Write['action'][];
  /** One of them replaced a change that was made elsewhere. */
  readonly hasReverted: boolean;
  /** An app that the definition may use is about to be applied. */
  readonly hasPendingApps?: boolean;
  /** Why the workflow cannot be activated although its check found no reason. */
  readonly pathTaken?: string;
  /** Of the last action. */
  readonly failure?: Failure;
}

/** An event on the object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'Applied' | 'Reverted' | 'Refused' | 'Abandoned';
  readonly message: string;
}

/** When to reconcile next. `resync`: with the next poll of Weft, unless something changes before. */
export type Again =
  | { readonly when: 'resync' }
  | { readonly when: 'backoff' }
  | { readonly when: 'after'; readonly ms: number }
  /** All objects of the namespace wait. */
  | { readonly when: 'limited'; readonly ms: number };

export type Result = 'unchanged' | 'applied' | 'waiting' | 'refused' | 'failed' | 'deleted';

/** The end of a reconciliation. */
export interface Outcome<Status = WorkflowStatus> {
  readonly result: Result;
  readonly again: Again;
  /** Undefined: the status stays. */
  readonly status: Status | undefined;
  readonly event?: ObjectEvent;
  readonly synced?: Synced | undefined;
}

/** What to do next. */
export type WorkflowDecision =
  | { readonly next: 'find' }
  | { readonly next: 'search'; readonly from: AdoptedFrom }
  | { readonly next: 'read-source' }
  | { readonly next: 'check' }
  | { readonly next: 'add-finalizer' }
  | { readonly next: 'remove-finalizer'; readonly event?: ObjectEvent }
  | { readonly next: 'write'; readonly write: Write; readonly reverts: boolean }
  | { readonly next: 'finish'; readonly outcome: Outcome };
