import { InvalidRequest } from '@weft/service-kit/errors';

const NAME_MAX_BYTES = 300;

/** Checks the name of an entry, which becomes part of its key. @throws InvalidRequest */
export const checkName = (name: string): void => {
  if (name !== '' && Buffer.byteLength(name) <= NAME_MAX_BYTES) return;
  throw new InvalidRequest('The name of the entry cannot be used.', [
    { field: 'name', message: `Give 1 to ${NAME_MAX_BYTES} bytes.` },
  ]);
};
