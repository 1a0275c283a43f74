import {
  type CredentialDescriptor,
  isShown,
  type JsonObject,
  type KindDescriptor,
  rootScope,
} from '@weft/node-catalogue';

/** The credential of a kind whose condition holds for the parameters of a node; undefined if it uses none. */
export function chosenCredential(
  descriptor: KindDescriptor,
  parameters: JsonObject,
  version: number,
): CredentialDescriptor | undefined {
  const scope = rootScope(parameters, descriptor, version);
  return descriptor.credentials.find(
    ({ shownWhen }) => shownWhen === undefined || isShown({ name: '', label: '', type: 'string', shownWhen }, scope),
  );
}
