import { ServiceError } from '@weft/service-kit/errors';

/**
 * Names the fields in errors as the caller sent them.
 * @param rename the name in the body for the name that the called code uses
 * @throws ServiceError the same error with other field names; any other error unchanged
 */
export const renamingFields = async <Result>(
  rename: (field: string) => string,
  work: () => Result | Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError && error.fields.length > 0
      ? error.withFields(error.fields.map(({ field, message }) => ({ field: rename(field), message })))
      : error;
  }
};

/** A body that is not JSON has no field: the body itself is named. */
export const inBody = (field: string): string => (field === '' ? 'body' : field);
