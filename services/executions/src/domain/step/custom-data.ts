import { InvalidRequest } from '@weft/service-kit/errors';
import { LIMITS } from '@weft/service-kit/limits';

/** Limits of searchable custom metadata: pairs per execution, characters of a name and of a value. */
export const CUSTOM_DATA = {
  pairs: LIMITS.customDataPairs.max,
  keyLength: LIMITS.customDataKey.max,
  valueLength: LIMITS.customDataValue.max,
} as const;

/** Maximum characters of the whole JSON, however its parts are escaped. */
const MAX_TEXT = 6 * CUSTOM_DATA.pairs * (CUSTOM_DATA.keyLength + CUSTOM_DATA.valueLength) + 200;

const invalid = (): InvalidRequest =>
  new InvalidRequest('The custom data is not valid.', [
    {
      field: 'customDataJson',
      message:
        `Send a JSON object of at most ${CUSTOM_DATA.pairs} strings, with names of at most ` +
        `${CUSTOM_DATA.keyLength} characters and values of at most ${CUSTOM_DATA.valueLength}.`,
    },
  ]);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid();
  }
};

const isPair = ([key, value]: readonly [string, unknown]): boolean =>
  key.length <= CUSTOM_DATA.keyLength && typeof value === 'string' && value.length <= CUSTOM_DATA.valueLength;

/** Checks the custom metadata that a runner sends as JSON. @throws InvalidRequest beyond its limits */
export const checkCustomData = (text: string): string => {
  const value = text.length > MAX_TEXT ? undefined : parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid();
  const pairs = Object.entries(value);
  if (pairs.length > CUSTOM_DATA.pairs || !pairs.every(isPair)) throw invalid();
  return text;
};
