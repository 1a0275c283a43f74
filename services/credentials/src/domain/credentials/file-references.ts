import { CREDENTIAL_TYPES, type CredentialFieldError } from '@weft/node-catalogue';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';

/** What a file holds, or what is wrong with it, as a requirement on the field that names it. */
export type FileReading = { readonly text: string } | { readonly problem: string };

/** Reads a file that the operator has mounted for credentials. What it says of a problem shows nothing of the file. */
export type ReadCredentialFile = (name: string) => Promise<FileReading>;

/** Data whose references are replaced by what the files hold, and the fields whose files cannot be used. */
export interface Resolved {
  readonly data: JsonObject;
  readonly errors: readonly CredentialFieldError[];
}

/** The only member of an object that names a file in place of a value: `{ "fromFile": "billing/api-key" }`. */
const MEMBER = 'fromFile';

const isReference = (value: Json): value is JsonObject =>
  isJsonObject(value) && Object.hasOwn(value, MEMBER) && Object.keys(value).length === 1;

/** True if JSON text that this service has made may hold a reference; most credentials need not be parsed. */
export const mayNameFiles = (dataJson: string): boolean => dataJson.includes(`"${MEMBER}"`);

const isSecret = (type: string, field: string): boolean =>
  CREDENTIAL_TYPES.get(type)?.fields.some(({ name, secret }) => name === field && secret) === true;

/**
 * Errors of references in fields that are not declared as secret: what such a field holds is neither masked in run
 * data nor kept from those who read it.
 */
export const misplacedReferences = (type: string, data: JsonObject): readonly CredentialFieldError[] =>
  Object.entries(data)
    .filter(([field, value]) => isReference(value) && !isSecret(type, field))
    .map(([field]) => ({
      field,
      message: 'must not name a file: only the secret fields of a known credential type can.',
    }));

/** Errors of all references, for whoever may name none of the operator's files. */
export const forbiddenReferences = (data: JsonObject): readonly CredentialFieldError[] =>
  Object.entries(data)
    .filter(([, value]) => isReference(value))
    .map(([field]) => ({ field, message: 'must not name a file: only owners and admins of this instance may.' }));

const read = (reference: JsonObject, readFile: ReadCredentialFile): Promise<FileReading> => {
  const name = reference[MEMBER];
  return typeof name === 'string' ? readFile(name) : Promise.resolve({ problem: `must have a string in ${MEMBER}.` });
};

/** Replaces the references in the secret fields of a credential's data by what the files hold now. */
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
