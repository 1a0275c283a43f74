import {
  field,
  type KindDescriptor,
  type NodeDefinition,
  plainValue,
  textField,
  usesCredential,
} from '@weft/node-catalogue/definitions';

/** Credential types that a node uses with its current parameters, and stored links of other types. */
export const typesOf = (node: NodeDefinition, kind: KindDescriptor): readonly string[] => {
  const named = plainValue(node.parameters['nodeCredentialType']);
  const candidates = [...kind.credentials.map(({ type }) => type), ...(typeof named === 'string' ? [named] : [])];
  const used = candidates.filter((type) => type !== '' && usesCredential(node, kind, type));
  return [...new Set(used)];
};

/** The type of the credentials that nodes of a kind name by a type. */
export const storedTypeOf = ({ credentials }: Pick<KindDescriptor, 'credentials'>, type: string): string =>
  credentials.find((one) => one.type === type)?.storedType ?? type;

/** The credential of a type that a node names; an empty id or name: it has none. */
export const linkedCredential = (
  { credentials }: Pick<NodeDefinition, 'credentials'>,
  type: string,
): { readonly id: string; readonly name: string } => {
  const stored = credentials === undefined ? undefined : field(credentials, type);
  return { id: textField(stored, 'id') ?? '', name: textField(stored, 'name') ?? '' };
};
