import type { Json, JsonObject } from '@weft/node-catalogue';
import type { CodeRunner, TaskRunner } from '@weft/sandbox';
import type { DataTables } from './ports/data-tables';
import type { FileStore } from './ports/files';
import type { FileArea } from './ports/file-area';
import type { InstanceApi } from './ports/instance';
import type { PersistentState } from './ports/persistent-state';
import type { TextStreams } from './ports/text-streams';
import type { Databases, MailSender, OutboundHttp, OutboundStreams, RemoteServers } from '@weft/outbound';
import type { Item } from './items/items';
import type { ResultItem } from './items/result-origins';

/** A credential that a node names. */
export interface CredentialRequest {
  readonly node: string;
  readonly type: string;
  readonly id: string;
  /** For messages. */
  readonly name?: string;
  /** SHA-256 in base64url of an access token of the credential that a service has just refused. */
  readonly refusedTokenHash?: string;
}

/** Returns a stored credential for one node of the current run. */
export interface CredentialUse {
  /** @throws Error with a message for the user when the credential is missing or may not be used here. */
  use(request: CredentialRequest): Promise<JsonObject>;
}

/** Time as nodes see it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms`, or rejects when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** An answer for the caller of a webhook. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  /** Id of a stored file of the run, which is the body then; `body` is empty. */
  readonly fileId?: string;
}

/** A sub-workflow that a node wants to run. */
export interface ChildRequest {
  readonly node: string;
  readonly run: number;
  /** The input item it is for, or 0 when it is for all. */
  readonly item: number;
  /** Number of earlier tries of the node run: each try has separate sub-workflows. */
  readonly attempt: number;
  /** Id of a stored workflow, or a whole definition as JSON. */
  readonly workflow: { readonly id: string } | { readonly definition: Json };
  readonly input: readonly Item[];
  /** False: the parent continues at once. */
  readonly waitForEnd: boolean;
  /**
   * The execution that an earlier call of this node, run, item and try gave. Nothing is started instead if it is
   * gone.
   */
  readonly executionId?: string;
}

/**
 * Outcome of a sub-workflow. `waiting`: it continues elsewhere, so the parent must wait for it. `later`: there is no
 * room for it in the queue now, so nothing was started and the parent calls again then, in Unix milliseconds.
 */
export type ChildResult =
  | { readonly kind: 'finished'; readonly executionId: string; readonly items: readonly ResultItem[] }
  | {
      readonly kind: 'failed';
      readonly executionId: string;
      readonly message: string;
      /** Kind of failure, as in run records; absent if it is not known. */
      readonly name?: string;
    }
  | { readonly kind: 'started'; readonly executionId: string }
  | { readonly kind: 'waiting'; readonly executionId: string }
  | { readonly kind: 'later'; readonly at: number };

/** Everything outside the process that a node may reach. */
export interface NodePorts {
  readonly http: OutboundHttp;
  /** Requests whose responses are read as they arrive. */
  readonly streams: OutboundStreams;
  readonly mail: MailSender;
  readonly databases: Databases;
  /** Mailboxes, and servers for files and commands. */
  readonly remote: RemoteServers;
  readonly credentials: CredentialUse;
  readonly clock: Clock;
  readonly files: FileStore;
  /** Runs the code of Code nodes. */
  readonly code: CodeRunner;
  /** Reads and writes untrusted data: files, HTML, XML and so on, in forms on which nodes and their program agree. */
  readonly formats: TaskRunner;
  /** State that the workflow stores between its runs. */
  readonly persistentState: PersistentState;
  readonly dataTables: DataTables;
  /** Files that the workflow stores between its runs. */
  readonly fileArea: FileArea;
  readonly instance: InstanceApi;
  /**
   * Starts a sub-workflow, or finds the one that the same node, run, item and try started before.
   * @throws NodeFailure if it may not be started
   */
  startChild(request: ChildRequest): Promise<ChildResult>;
  /**
   * Answers the caller that waits for this run. The first answer counts; false if there was one before. `tokenHash`:
   * of the token that the answer may contain.
   */
  respond(answer: HttpResponse, tokenHash?: string): Promise<boolean>;
  /** Streams of text to readers that follow the run; absent: no reader can follow it. */
  readonly texts?: TextStreams;
}
