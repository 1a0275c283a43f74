const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The id that an answer names, as its result or in the details of its error. */
export const idIn = (text: string): string | undefined => {
  const json = parsed(text);
  const id =
    at(at(json, 'data'), 'executionId') ??
    at(at(at(json, 'error'), 'details'), 'executionId') ??
    at(json, 'executionId');
  return typeof id === 'string' ? id : undefined;
};
