import type { FieldError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/**
 * What keeps the data of an oAuth2Api credential from being used. One without a token yet can be stored: the token may
 * follow.
 */
export const oauth2Errors = (data: JsonObject): FieldError[] => {
  const needed = data['grantType'] === 'clientCredentials' ? ['accessTokenUrl', 'clientId', 'clientSecret'] : [];
  return needed
    .filter((name) => !isFilled(data[name]))
    .map((name) => ({
      field: `data.${name}`,
      message: 'oAuth2Api with the grant type clientCredentials needs a string here.',
    }));
};
