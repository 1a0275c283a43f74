import type { CheckResult, ListedWorkflow } from '@weft/apply';
import type { AdoptedFrom, ObjectEvent, Source, SourceFact, Write } from './facts';
import type { Metadata, WeftWorkflow, WorkflowStatus } from './objects';

/** Calls to Weft with the key of the object's namespace. All throw `Failed`. */
export interface WeftPort {
  /** The workflow with the key of the object, as far as the last list and later writes know it. */
  readonly find: (metadata: Metadata) => Promise<ListedWorkflow | undefined>;
  /** The workflow with another key, or with an id, that the caller may change. */
  readonly search: (metadata: Metadata, from: AdoptedFrom) => Promise<ListedWorkflow | undefined>;
  /** @param workflow the workflow that the definition replaces */
  readonly check: (metadata: Metadata, source: Source, workflow: ListedWorkflow | undefined) => Promise<CheckResult>;
  /** @returns the workflow as it is now; undefined: it was deleted */
  readonly write: (metadata: Metadata, write: Write, hash: string | null) => Promise<ListedWorkflow | undefined>;
  /** Has the next `find` read the workflow again. */
  readonly forget: (metadata: Metadata) => void;
}

/** The object has another generation by now, with another definition: the watch has it reconciled again. */
export interface ChangedSource {
  readonly state: 'changed';
}

/** Calls to the API server. A missing object is `undefined`; other errors are thrown. */
export interface ObjectPort {
  readonly readSource: (object: WeftWorkflow) => Promise<SourceFact | ChangedSource>;
  /** @returns the metadata as it is now; undefined: the object is gone, or was changed meanwhile */
  readonly setFinalizer: (metadata: Metadata, isSet: boolean) => Promise<Metadata | undefined>;
  readonly writeStatus: (metadata: Metadata, status: WorkflowStatus) => Promise<void>;
  readonly recordEvent: (metadata: Metadata, event: ObjectEvent) => void;
}
