import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';

const KEY = /^[A-Za-z0-9_]{1,50}$/;
const MAX_VALUE = 1_000;

/** Checks what a variable is to be. @throws InvalidRequest */
export const checkVariable = ({ key, value }: { readonly key: string; readonly value: string }): void => {
  const faults: FieldError[] = [];
  if (!KEY.test(key) || key === '__proto__')
    faults.push({ field: 'key', message: 'Use 1 to 50 letters, digits and underscores.' });
  if (value.length > MAX_VALUE) faults.push({ field: 'value', message: `Use ${MAX_VALUE} characters at most.` });
  if (faults.length > 0) throw new InvalidRequest('The variable cannot be stored.', faults);
};
