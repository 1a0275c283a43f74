import { SERVICE_TYPES, type RequestRule } from '@weft/node-catalogue';

/** Additions of a credential to a request. */
export interface CredentialRule extends RequestRule {
  /** Fields that the credential requires. */
  readonly required: readonly string[];
}

/** Credential types sent as a header, a query parameter, a path segment, or a stored token. */
export const CREDENTIAL_RULES: ReadonlyMap<string, CredentialRule> = new Map(
  SERVICE_TYPES.map(({ name, request = {}, fields }) => [
    name,
    { ...request, required: fields.flatMap((field) => (field.required ? [field.name] : [])) },
  ]),
);
