import type { JsonObject } from './json';

/** A workflow as a file describes it. */
export interface WorkflowDocument {
  /** Path of the file, as messages and `source` show it. */
  readonly file: string;
  /** Index of the document within its file. */
  readonly index: number;
  /** From the file, otherwise from its path; unique among the documents of a command. */
  readonly key: string;
  /** True if the file itself has the key. */
  readonly hasOwnKey: boolean;
  /** Id of the workflow in the instance that exported the file. */
  readonly id: string | undefined;
  /** Whether the workflow is to be active; undefined: unchanged. */
  readonly active: boolean | undefined;
  /** Name of the workflow; of the file, if the definition has none. */
  readonly name: string;
  /** The definition that is sent: without `key`, `id`, `active`, `projectId` and the times. */
  readonly definition: JsonObject;
}

/** An error in a file. */
export interface FileError {
  readonly file: string;
  /** From 1; undefined if the error is about the file as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Members that describe the stored workflow rather than its definition. */
export const SERVICE_FIELDS: readonly string[] = ['key', 'id', 'active', 'createdAt', 'updatedAt', 'projectId'];

const KEY = /^[a-z0-9][a-z0-9./-]{0,249}$/;

/** True if a workflow may have this key. */
export const isKey = (text: string): boolean => KEY.test(text);

const MAX_KEY = 250;

/** The key of a file without one: its path without the ending, in the characters of keys. */
export const keyOfPath = (path: string): string =>
  path
    .replace(/\.(json|ya?ml)$/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9./-]/g, '-')
    .replace(/^[./-]{1,1000}/, '')
    .slice(0, MAX_KEY);

/** `file:line:column: message`, as compilers write it. */
export const textOfError = ({ file, line, column, message }: FileError): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;
