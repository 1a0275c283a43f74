import type { JsonObject } from '@weft/node-catalogue';
import type { KindRun } from './run-kind';

/** URLs that a case can refer to. */
export interface CaseWorld {
  /** URL of a local server, without a trailing slash. */
  readonly url: string;
}

/** A file of each item of input 0. */
export interface CaseFile {
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  readonly mimeType?: string;
}

/** Response of the local server; 200 with JSON by default. */
export interface CaseAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** A request that the local server expects, and its response. Absent parts are not checked. */
export interface CaseExchange {
  readonly expect: {
    readonly method?: string;
    /** Host of the URL, which the local server stands in for. */
    readonly host?: string;
    /** Path and query. */
    readonly path?: string;
    /** JSON; or a string, or several, of which each is a part of the body. */
    readonly body?: unknown;
    /** Names in lower case; an empty value for a header that must be absent. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** JSON, or text. */
  readonly response: unknown;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Expected result of one node run. Omitted fields are not checked. */
export interface NodeCase {
  /** Behaviour of the node, read after its name: `keeps the first item`. */
  readonly it: string;
  /** The versions of the kind with this behaviour: each is a separate test. */
  readonly versions: readonly number[];
  /** Items, parameters and other settings of the node. */
  readonly run: Omit<KindRun, 'version'> | ((world: CaseWorld) => Omit<KindRun, 'version'>);
  /** Files of the items, by the field that holds them. */
  readonly withFiles?: Readonly<Record<string, CaseFile>>;
  /** Response of the local server. By default it echoes the request as `{ method, path, body, type }`. */
  readonly serverAnswers?: CaseAnswer;
  /** Requests that the local server expects in place of any other, each once. */
  readonly exchange?: readonly CaseExchange[];
  /** JSON of the items, by output. */
  readonly gives?: readonly (readonly unknown[])[];
  /** Origins of the items, by output. */
  readonly pairs?: readonly (readonly unknown[])[];
  /** Files of the items on the first output: their content as a string, by field. */
  readonly files?: readonly Readonly<Record<string, unknown>>[];
  /** Part of the message the node fails with. Without it the node must not fail. */
  readonly fails?: string;
  /** Part of the wait that follows the node. */
  readonly waits?: object;
  /** The response to the caller of a webhook. */
  readonly answers?: { readonly status?: number; readonly headers?: JsonObject; readonly body?: string };
  /** The last request that the local server must have received. */
  readonly sends?: object;
  /** Statements or commands that run on the kind's server before the node. */
  readonly given?: readonly (readonly string[])[];
  /** A statement or command to run after the node, and the server's expected response. */
  readonly leaves?: { readonly ask: readonly string[]; readonly answer: unknown };
}

/** A server that the tests of a kind need. Their cases run in the service tests, which have a real server. */
export type CaseDatabase = 'mongoDb' | 'mySql' | 'postgres' | 'redis';

/** All cases of a kind. The `cases.ts` next to the executor exports one of these for each of its kinds. */
export interface KindCases {
  readonly kind: string;
  readonly cases: readonly NodeCase[];
  readonly database?: CaseDatabase;
}
