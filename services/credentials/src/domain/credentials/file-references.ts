import { CREDENTIAL_TYPES, type CredentialFieldError } from '@weft/node-catalogue';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';

/** The content of a file, or its problem phrased as a requirement on the referring field. */
export type FileReading = { readonly text: string } | { readonly problem: string };

/** Reads a file that the operator has mounted for credentials. Problems reveal nothing of the file. */
export type ReadCredentialFile = (name: string) => Promise<FileReading>;

/** Data with references replaced by file contents, and the fields whose files cannot be used. */
export interface Resolved {
  readonly data: JsonObject;
  readonly errors: readonly CredentialFieldError[];
}

/** The only member of an object that refers to a file instead of a value: `{ "fromFile": "billing/api-key" }`. */
const MEMBER = 'fromFile';

const isReference = (value: Json): value is JsonObject =>
  isJsonObject(value) && Object.hasOwn(value, MEMBER) && Object.keys(value).length === 1;

/** True if JSON text written by this service may contain a reference; most credentials need not be parsed. */
export const mayNameFiles = (dataJson: string): boolean => dataJson.includes(`"${MEMBER}"`);

const isSecret = (type: string, field: string): boolean =>
  CREDENTIAL_TYPES.get(type)?.fields.some(({ name, secret }) => name === field && secret) === true;

/**
 * Errors of references in fields that are not secret: such fields are neither masked in run data nor hidden from
 * readers.
 */
export const misplacedReferences = (type: string, data: JsonObject): readonly CredentialFieldError[] =>
  Object.entries(data)
    .filter(([field, value]) => isReference(value) && !isSecret(type, field))
    .map(([field]) => ({
      field,
      message: 'must not name a file: only the secret fields of a known credential type can.',
    }));

/** Errors of all references, for users who may not refer to the operator's files. */
export const forbiddenReferences = (data: JsonObject): readonly CredentialFieldError[] =>
  Object.entries(data)
    .filter(([, value]) => isReference(value))
    .map(([field]) => ({ field, message: 'must not name a file: only owners and admins of this instance may.' }));

const read = (reference: JsonObject, readFile: ReadCredentialFile): Promise<FileReading> => {
  const name = reference[MEMBER];
  return typeof name === 'string' ? readFile(name) : Promise.resolve({ problem: `must have a string in ${MEMBER}.` });
};

/** Replaces the references in the secret fields of a credential with the current contents of the files. */
export const resolveReferences = async (
  type: string,
  data: JsonObject,
  readFile: ReadCredentialFile,
): Promise<Resolved> => {
  const errors: CredentialFieldError[] = [];
  const values = new Map(Object.entries(data));
  for (const [field, value] of values) {
    if (!isReference(value) || !isSecret(type, field)) continue;
    const reading = await read(value, readFile);
    if ('text' in reading) values.set(field, reading.text);
    else errors.push({ field, message: reading.problem });
  }
  return { data: Object.fromEntries(values), errors };
};
