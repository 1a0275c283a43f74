import { createPrivateKey } from 'node:crypto';
import type { FieldError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';

const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const isPrivateKey = (pem: string): boolean => {
  try {
    createPrivateKey(pem.replaceAll('\\n', '\n'));
    return true;
  } catch {
    return false;
  }
};

/**
 * What keeps the data of a crypto credential from being used: it needs a secret for HMAC, a private key for
 * signatures, or both.
 */
export const cryptoErrors = (data: JsonObject): FieldError[] => {
  const [secret, key] = [filled(data['hmacSecret']), filled(data['signPrivateKey'])];
  if (secret === undefined && key === undefined)
    return [{ field: 'data.hmacSecret', message: 'crypto needs a string here, or a private key in signPrivateKey.' }];
  return key === undefined || isPrivateKey(key)
    ? []
    : [{ field: 'data.signPrivateKey', message: 'Give a private key as PEM without a passphrase.' }];
};
