import type { HeaderParameter } from './header-parameter';
import type { Reason } from './reasons';
import { dataBody, type Fields, listBody, pageBody, type Schema, SUCCESS_BODY } from './schema';

/** Groups of operations, in the order of the reference page. */
export const TAGS = {
  Workflows: 'Graphs of nodes: stored, activated and started.',
  Executions: 'Runs of workflows, with their data.',
  Retries: 'Jobs that run many ended executions again.',
  Schedules: 'Due times of workflows, and runs of past ones.',
  Deliveries: 'Webhook calls that could not be started when they arrived.',
  'Node types': 'The catalogue of node kinds.',
  Credentials: 'Secrets that nodes use. Their data can be written, never read.',
  Variables: 'Strings that the expressions of every workflow read.',
  'Data tables': 'Tables that workflows read and write.',
  Projects: 'What several users own together: members, and what moves where.',
  Users: 'Accounts, their roles, keys and invitations.',
  Audit: 'Who did what.',
} as const;

/** One of those groups. */
export type Tag = keyof typeof TAGS;

/** Headers of answers that an operation has of its own. */
export type OwnHeader = 'ETag' | 'Location' | 'Content-Disposition';

/** An answer that is not an error. */
export interface AnswerDoc {
  readonly description: string;
  /** Of the JSON body; absent: no body, or a file. */
  readonly body?: Schema;
  readonly isFile?: boolean;
  readonly headers?: readonly OwnHeader[];
}

/** Answers by their status. */
export type AnswerDocs = Readonly<Partial<Record<200 | 201 | 304, AnswerDoc>>>;

/** What the document of the API says of a route, besides what its row says already. */
export interface RouteDoc {
  readonly tag: Tag;
  /** A few words. */
  readonly summary: string;
  readonly description?: string;
  readonly answers: AnswerDocs;
  /** Headers of the request that the handler reads. */
  readonly headers?: readonly HeaderParameter[];
  /** Reasons besides those of every operation. */
  readonly reasons?: readonly Reason[];
}

/** A route, as far as the document shows it. */
export interface DocumentedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the root of the API, with parameters as express names them. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly description: string; readonly schema: Schema }[];
  readonly body: 'none' | 'optional' | 'required';
  readonly request?: { readonly schema: Schema };
  /** Its name is the `operationId`. */
  readonly handler: { readonly name: string };
  readonly doc: RouteDoc;
}

/** 200 with `{"data": ...}`. */
export const answers = (data: Schema, description = 'As asked for.'): AnswerDocs => ({
  200: { description, body: dataBody(data) },
});

/** 201 with `{"data": ...}` and the address of what was made. */
export const creates = (data: Schema, description = 'Created.'): AnswerDocs => ({
  201: { description, body: dataBody(data), headers: ['Location'] },
});

/** 200 with a list, whole or a page of it. */
export const lists = (entry: Schema): AnswerDocs => ({
  200: { description: 'The list, or a page of it where `limit` or `cursor` is given.', body: listBody(entry) },
});

/** 200 with one page of a list. */
export const pages = (entry: Schema): AnswerDocs => ({
  200: { description: 'A page.', body: pageBody(entry) },
});

/** 200 after a deletion, or something else that leaves nothing to show. */
export const succeeds: AnswerDocs = { 200: { description: 'Done.', body: SUCCESS_BODY } };

/** 304 without a body. */
export const NOT_MODIFIED_ANSWER: AnswerDoc = {
  description: 'One of the ETags in If-None-Match is that of the resource.',
  headers: ['ETag'],
};

/** 200 with `{"data": ...}`, further members beside it, and an ETag. */
export const tagged = (data: Schema, sometimes: Fields = {}): AnswerDocs => ({
  200: { description: 'As asked for.', body: dataBody(data, sometimes), headers: ['ETag'] },
});
