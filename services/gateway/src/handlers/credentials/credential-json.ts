import type { Credential } from '@weft/proto/credentials';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';

/** A credential as the REST contract shows it: never its data. */
export const credentialText = (credential: Credential | undefined): string => {
  if (credential === undefined)
    throw new InternalError(new Error('The credentials service answered without the credential.'));
  const { id, name, type, createdAt, updatedAt } = credential;
  return `{"id":${quote(id)},"name":${quote(name)},"type":${quote(type)},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`;
};
