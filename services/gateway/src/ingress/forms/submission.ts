import { InvalidRequest } from '@weft/service-kit/errors';
import { randomUUID } from 'node:crypto';
import { parse } from 'node:querystring';
import { SUBMISSION_INPUT } from './render-form';

/** A file that was sent and stored. */
export interface SentFile {
  readonly fileName: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** The reference in items. */
  readonly reference: {
    readonly id: string;
    readonly mimeType: string;
    readonly fileName?: string;
    readonly fileExtension?: string;
    readonly fileSize: number;
  };
}

/** The content of a form as sent by a browser. */
export interface Submission {
  /** Id of the form's rendering; a new random one if none was sent. */
  readonly id: string;
  /** Strings by the index of their field, in the order received. */
  readonly values: ReadonlyMap<number, readonly string[]>;
  readonly files: ReadonlyMap<number, readonly SentFile[]>;
}

const NAME = /^field-(\d{1,3})(?:\[\])?$/;
const SUBMISSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_FIELDS = 2_000;

/** The index of the field that an input belongs to; undefined for inputs that are not a field. */
export const indexOfInput = (name: string): number | undefined => {
  const index = NAME.exec(name)?.[1];
  return index === undefined ? undefined : Number(index);
};

/** True if a string is a valid id of a form's rendering. */
export const isSubmissionId = (text: string): boolean => SUBMISSION_ID.test(text);

/** An id for a new rendering. */
export const newSubmissionId = (): string => randomUUID();

/** Groups the values of a form by field. */
export const submissionOf = (
  fields: Iterable<readonly [string, string]>,
  files: Submission['files'] = new Map(),
): Submission => {
  const values = new Map<number, string[]>();
  let id = newSubmissionId();
  for (const [name, value] of fields) {
    const index = indexOfInput(name);
    if (name === SUBMISSION_INPUT && isSubmissionId(value)) id = value;
    if (index === undefined) continue;
    const known = values.get(index);
    if (known === undefined) values.set(index, [value]);
    else known.push(value);
  }
  return { id, values, files };
};

/** Reads the submission of a form without files. @throws InvalidRequest if it has too many parts */
export const readEncodedForm = (text: string): Submission => {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
    throw new InvalidRequest(`A form can have ${MAX_FIELDS} parts at most.`);
  const fields = Object.entries(parse(text, '&', '=', { maxKeys: 0 }));
  return submissionOf(
    fields.flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((one) => [name, one] as const),
    ),
  );
};
