import type { ApiKey as ApiKeyMessage } from '@weft/proto/identity';
import type { ApiKey } from '../domain/api-keys/api-key';

/** A key as its user sees it. */
export const toApiKeyMessage = ({ id, name, createdAt }: ApiKey): ApiKeyMessage => ({ id, name, createdAt });
