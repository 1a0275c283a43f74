import type { Json } from '@weft/service-kit/json';
import type { Reason } from './reasons';
import { dataBody, type Fields, listBody, pageBody, type Schema, SUCCESS_BODY } from './schema';

/** Description of a request header in the OpenAPI document. */
export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  /** A regular expression for accepted values; absent: any. */
  readonly pattern?: string;
}

/** Groups of operations, in the order of the reference page. */
export const TAGS = {
  Workflows: 'Graphs of nodes: stored, activated and started.',
  Executions: 'Runs of workflows, with their data.',
  Retries: 'Jobs that run many ended executions again.',
  'Event subscriptions': 'CloudEvents that are sent when executions end.',
  Schedules: 'Due times of workflows, and runs of past due times.',
  Deliveries: 'Webhook calls that could not be started when they arrived.',
  'Node types': 'The catalogue of node kinds.',
  Apps: 'Data files of users, from which node kinds are made.',
  Credentials: 'Secrets that nodes use. Their data can be written, never read.',
  Variables: 'Strings that the expressions of every workflow read.',
  'Data tables': 'Tables that workflows read and write.',
  Projects: 'Shared ownership: projects, their members, and transfers.',
  Users: 'Accounts, their roles, keys and invitations.',
  Audit: 'Who did what.',
} as const;

export type Tag = keyof typeof TAGS;

/** Response headers specific to an operation. */
export type OwnHeader = 'ETag' | 'Location' | 'Content-Disposition' | 'Preference-Applied';

/** A response that is not an error. */
export interface AnswerDoc {
  readonly description: string;
  /** Schema of the JSON body; absent: no body, or a file. */
  readonly body?: Schema;
  readonly isFile?: boolean;
  /** Clients that accept them get Server-Sent Events instead of the body. */
  readonly isEventStream?: boolean;
  readonly headers?: readonly OwnHeader[];
}

/** Responses by status. */
export type AnswerDocs = Readonly<Partial<Record<200 | 201 | 204 | 304, AnswerDoc>>>;

/** Documentation of a route in addition to the rest of its row. */
export interface RouteDoc {
  readonly tag: Tag;
  /** A few words. */
  readonly summary: string;
  readonly description?: string;
  /** Example of the body of a request; absent: made from its schema. */
  readonly example?: Json;
  readonly answers: AnswerDocs;
  /** Request headers that the handler reads. */
  readonly headers?: readonly HeaderParameter[];
  /** Reasons in addition to those of every operation. */
  readonly reasons?: readonly Reason[];
}

/** The part of a route shown in the document. */
export interface DocumentedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the root of the API, with parameters in express notation. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly description: string; readonly schema: Schema }[];
  readonly body: 'none' | 'optional' | 'required';
  readonly request?: { readonly schema: Schema };
  /** Its name is the `operationId`. */
  readonly handler: { readonly name: string };
  readonly doc: RouteDoc;
}

/** 200 with `{"data": ...}`. */
export const answers = (data: Schema, description = 'The requested data.'): AnswerDocs => ({
  200: { description, body: dataBody(data) },
});

/** 201 with `{"data": ...}` and the address of the new object. */
export const creates = (data: Schema, description = 'Created.'): AnswerDocs => ({
  201: { description, body: dataBody(data), headers: ['Location'] },
});

/** The same with the ETag of the new object. */
export const createsTagged = (data: Schema): AnswerDocs => ({
  201: { description: 'Created.', body: dataBody(data), headers: ['Location', 'ETag'] },
});

/** 200 with a list, complete or one page. */
export const lists = (entry: Schema): AnswerDocs => ({
  200: { description: 'The list, or one page if `limit` or `cursor` is given.', body: listBody(entry) },
});

/** 200 with one page of a list. */
export const pages = (entry: Schema): AnswerDocs => ({
  200: { description: 'A page.', body: pageBody(entry) },
});

/** 200 after a deletion or another operation without a result. */
export const succeeds: AnswerDocs = { 200: { description: 'Done.', body: SUCCESS_BODY } };

/** 304 without a body. */
export const NOT_MODIFIED_ANSWER: AnswerDoc = {
  description: 'One of the ETags in If-None-Match is current.',
  headers: ['ETag'],
};

/** 204 to a request that prefers no body. */
export const MINIMAL_ANSWER: AnswerDoc = {
  description: 'Done, with `Prefer: return=minimal`.',
  headers: ['ETag', 'Preference-Applied'],
};

/** 200 with `{"data": ...}`, further members, and an ETag. */
export const tagged = (data: Schema, sometimes: Fields = {}): AnswerDocs => ({
  200: { description: 'The requested data.', body: dataBody(data, sometimes), headers: ['ETag'] },
});
