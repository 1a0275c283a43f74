import { InvalidRequest } from '@weft/service-kit/errors';

const MAX_NAME_BYTES = 300;

/** Checks the name of an entry, which becomes part of its key. @throws InvalidRequest */
export const checkName = (name: string): void => {
  if (name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES) return;
  throw new InvalidRequest('The name of the entry cannot be used.', [
    { field: 'name', message: `Give 1 to ${MAX_NAME_BYTES} bytes.` },
  ]);
};
