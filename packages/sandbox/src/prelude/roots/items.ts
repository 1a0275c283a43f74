import type { LookupError, CodeItem, CodeItems } from '../../code/code-data';

/** An error about missing data of another node. */
export function lookupError({ message, description }: LookupError): Error {
  return Object.assign(new Error(message), {
    name: 'ExpressionError',
    ...(description === undefined ? {} : { description }),
  });
}

/** The items of an output, the same objects on each call. @throws Error if there are none to read */
export function itemsOf(output: CodeItems | undefined, missing: LookupError): CodeItem[] {
  if (output === undefined) throw lookupError(missing);
  if ('error' in output) throw lookupError(output.error);
  return output.items;
}
