import type { Credential as CredentialMessage } from '@weft/proto/credentials';
import type { Credential } from '../domain/credentials/credential';

/** A credential as callers see it: these fields and no others. */
export const toCredentialMessage = ({
  id,
  name,
  type,
  ownerId,
  createdAt,
  updatedAt,
}: Credential): CredentialMessage => ({ id, name, type, ownerId, createdAt, updatedAt });
