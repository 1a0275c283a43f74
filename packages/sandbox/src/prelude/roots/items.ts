import type { CodeFault, CodeItem, CodeItems } from '../../code-data';

/** An error that names what another node lacks. */
export function faultError({ message, description }: CodeFault): Error {
  return Object.assign(new Error(message), {
    name: 'ExpressionError',
    ...(description === undefined ? {} : { description }),
  });
}

/** The items of an output, the same objects each time. @throws Error if there are none to read */
export function itemsOf(output: CodeItems | undefined, missing: CodeFault): CodeItem[] {
  if (output === undefined) throw faultError(missing);
  if ('fault' in output) throw faultError(output.fault);
  return output.items;
}
