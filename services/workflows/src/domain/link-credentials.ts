import { isJsonObject, objectField, textField, type Json, type JsonObject } from '@weft/node-catalogue';
import type { DefinitionJson } from './workflow';

/**
 * How the credential of a node was found: by its id, by its type and name, not at all, not only once, or not checked
 * because the credentials service is older.
 */
export type CredentialHow = 'id' | 'name' | 'ambiguous' | 'none' | 'unchecked';

/** A credential as a node names it. */
export interface CredentialReference {
  readonly type: string;
  /** May be the id of another instance, or empty. */
  readonly id: string;
  /** May be empty. */
  readonly name: string;
}

/** The outcome of one reference. */
export interface FoundCredential {
  readonly how: CredentialHow;
  /** Undefined if none was found. */
  readonly id: string | undefined;
  /** False if it exists, but runs of the owner's workflows may not use it. */
  readonly isUsable: boolean;
}

/**
 * Finds the credentials of references, with the permissions of the owner of a workflow.
 * @returns one outcome for each reference, in order
 * @throws Unavailable
 */
export type FindCredentials = (
  ownerId: string,
  references: readonly CredentialReference[],
) => Promise<readonly FoundCredential[]>;

/** A credential of a node, and what it was linked to. */
export interface CredentialLink extends CredentialReference {
  /** Name of the node. */
  readonly node: string;
  readonly found: FoundCredential;
}

/** A definition whose credentials were looked up. */
export interface LinkedDefinition {
  /** The same object if no credential was linked by name. */
  readonly value: DefinitionJson;
  readonly links: readonly CredentialLink[];
}

/** The reference of an entry of `credentials`. The oldest format has only the name, as a string. */
const referenceOf = (type: string, entry: Json): CredentialReference =>
  typeof entry === 'string'
    ? { type, id: '', name: entry }
    : { type, id: textField(entry, 'id') ?? '', name: textField(entry, 'name') ?? '' };

const keyOf = ({ type, id, name }: CredentialReference): string => JSON.stringify([type, id, name]);

const entriesOf = (node: Json): [type: string, entry: Json][] =>
  isJsonObject(node) ? Object.entries(objectField(node, 'credentials') ?? {}) : [];

const isNamed = ({ id, name }: CredentialReference): boolean => id !== '' || name !== '';

type Outcomes = ReadonlyMap<string, FoundCredential>;

/** The node with the ids of credentials that were found by name, unchanged if there are none. */
const linkNode = (node: Json, outcomes: Outcomes): Json => {
  if (!isJsonObject(node)) return node;
  const linked = entriesOf(node).map(([type, entry]): [string, Json] => {
    const reference = referenceOf(type, entry);
    const found = outcomes.get(keyOf(reference));
    if (found?.how !== 'name' || found.id === undefined) return [type, entry];
    const rest: JsonObject = isJsonObject(entry) ? entry : {};
    return [type, { ...rest, id: found.id, name: reference.name }];
  });
  const isUnchanged = entriesOf(node).every(([, entry], index) => linked[index]?.[1] === entry);
  return isUnchanged ? node : { ...node, credentials: Object.fromEntries(linked) };
};

/**
 * Looks up the credentials that the nodes of a definition name. One that is found by type and name gets the id of this
 * instance, so that an imported workflow uses the credential of the same name.
 */
export const linkCredentials = async (
  value: DefinitionJson,
  ownerId: string,
  findCredentials: FindCredentials,
): Promise<LinkedDefinition> => {
  const nodes = Array.isArray(value['nodes']) ? value['nodes'] : [];
  const references = new Map<string, CredentialReference>();
  for (const node of nodes)
    for (const [type, entry] of entriesOf(node)) {
      const reference = referenceOf(type, entry);
      if (isNamed(reference)) references.set(keyOf(reference), reference);
    }
  if (references.size === 0) return { value, links: [] };
  const found = await findCredentials(ownerId, [...references.values()]);
  const outcomes = new Map([...references.keys()].flatMap((key, index) => (found[index] ? [[key, found[index]]] : [])));
  const linked = nodes.map((node) => linkNode(node, outcomes));
  const links = nodes.flatMap((node) =>
    entriesOf(node).flatMap(([type, entry]): CredentialLink[] => {
      const reference = referenceOf(type, entry);
      const outcome = outcomes.get(keyOf(reference));
      return outcome === undefined ? [] : [{ ...reference, node: textField(node, 'name') ?? '', found: outcome }];
    }),
  );
  return { value: linked.every((node, index) => node === nodes[index]) ? value : { ...value, nodes: linked }, links };
};
