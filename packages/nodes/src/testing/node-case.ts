import type { JsonObject } from '@weft/node-catalogue';
import type { KindRun } from './run-kind';

/** Addresses that a case can refer to. */
export interface CaseWorld {
  /** Address of a local server, without a slash at the end. */
  readonly url: string;
}

/** A file of each item of input 0. */
export interface CaseFile {
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  readonly mimeType?: string;
}

/** Response of the local server, 200 and JSON by default. */
export interface CaseAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** Expected result of one node run: items in, items out. Omitted fields are not checked. */
export interface NodeCase {
  /** Promise of the node, read after its name: `keeps the first item`. */
  readonly it: string;
  /** The versions of the kind with this promise: each is a separate test. */
  readonly versions: readonly number[];
  /** Items, parameters and other settings of the node. */
  readonly run: Omit<KindRun, 'version'> | ((world: CaseWorld) => Omit<KindRun, 'version'>);
  /** Files of the items, by the field that holds them. */
  readonly withFiles?: Readonly<Record<string, CaseFile>>;
  /** Response of the local server; it echoes the request as `{ method, path, body, type }` otherwise. */
  readonly serverAnswers?: CaseAnswer;
  /** JSON of the items, by output. */
  readonly gives?: readonly (readonly unknown[])[];
  /** Origins of the items, by output. */
  readonly pairs?: readonly (readonly unknown[])[];
  /** Files of the items on the first output: their content as text, by field. */
  readonly files?: readonly Readonly<Record<string, unknown>>[];
  /** Part of the message the node fails with. Without it the node must not fail. */
  readonly fails?: string;
  /** Part of what the run waits for after the node. */
  readonly waits?: object;
  /** The response to the caller of a webhook. */
  readonly answers?: { readonly status?: number; readonly headers?: JsonObject; readonly body?: string };
  /** The last request that the local server must have received. */
  readonly sends?: object;
  /** Statements or commands that are run on the kind's server before the node. */
  readonly given?: readonly (readonly string[])[];
  /** A statement or command, and what the kind's server answers to it after the node. */
  readonly leaves?: { readonly ask: readonly string[]; readonly answer: unknown };
}

/** A server that the tests of a kind need: their cases run in the service tests, where it is real. */
export type CaseDatabase = 'mongoDb' | 'mySql' | 'postgres' | 'redis';

/** All cases of a kind. A file `<kind>.cases.ts` beside the executor exports one of these for each kind it is about. */
export interface KindCases {
  readonly kind: string;
  readonly cases: readonly NodeCase[];
  readonly database?: CaseDatabase;
}
