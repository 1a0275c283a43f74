import { isJsonObject, objectField, textField, type Json, type JsonObject } from '@weft/node-catalogue';
import type { DefinitionJson } from '../workflows/workflow';

/**
 * How the credential of a node was found: as the caller chose, by its id, by its type and name, not at all, not only
 * once, or not checked because the credentials service is older.
 */
export type CredentialHow = 'given' | 'id' | 'name' | 'ambiguous' | 'none' | 'unchecked';

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
  /**
   * Why runs of the workflow may not use the credential whose id the reference keeps: names it and its owner, and says
   * how to grant it. Undefined: they may, or no credential has the id.
   */
  readonly refusal: string | undefined;
}

/** The workflow whose nodes name credentials. */
export interface NamingWorkflow {
  /** Its owner, whose permissions count. */
  readonly ownerId: string;
  /** Its grants count as well; empty for a workflow that is not stored yet. */
  readonly workflowId: string;
}

/**
 * Finds the credentials of references, with the permissions of the owner of a workflow.
 * @returns one outcome for each reference, in order
 * @throws Unavailable
 */
export type FindCredentials = (
  workflow: NamingWorkflow,
  references: readonly CredentialReference[],
) => Promise<readonly FoundCredential[]>;

/** Ids of credentials that the caller chose, by type, a slash, and name. */
export type GivenCredentials = ReadonlyMap<string, string>;

/** The type of the stored credentials that a node names by a type. */
export type StoredTypeOf = (nodeType: string, type: string) => string;

/** A credential of a node, and what it was linked to. */
export interface CredentialLink extends CredentialReference {
  /** Type of stored credentials, which may differ for nodes of apps. */
  readonly storedType: string;
  /** Name of the node. */
  readonly node: string;
  /** Position of the node in the definition. */
  readonly index: number;
  readonly found: FoundCredential;
}

/** A definition whose credentials were looked up. */
export interface LinkedDefinition {
  /** The same object if no credential was linked by name. */
  readonly value: DefinitionJson;
  readonly links: readonly CredentialLink[];
}

/** A reference, with the type of the stored credentials. */
type NodeReference = CredentialReference & Pick<CredentialLink, 'storedType'>;

/** Reads an entry of `credentials`. */
type ReadReference = (node: Json, type: string, entry: Json) => NodeReference;

/** The oldest format has only the name, as a string. */
const referenceReader =
  (storedTypeOf: StoredTypeOf): ReadReference =>
  (node, type, entry) => {
    const storedType = storedTypeOf(textField(node, 'type') ?? '', type);
    return typeof entry === 'string'
      ? { type, storedType, id: '', name: entry }
      : { type, storedType, id: textField(entry, 'id') ?? '', name: textField(entry, 'name') ?? '' };
  };

const keyOf = ({ type, storedType, id, name }: NodeReference): string => JSON.stringify([type, storedType, id, name]);

const entriesOf = (node: Json): [type: string, entry: Json][] =>
  isJsonObject(node) ? Object.entries(objectField(node, 'credentials') ?? {}) : [];

const isNamed = ({ id, name }: CredentialReference): boolean => id !== '' || name !== '';

type Outcomes = ReadonlyMap<string, FoundCredential>;

/** The node with the ids of credentials that were chosen or found by name, unchanged if there are none. */
const linkNode = (node: Json, outcomes: Outcomes, referenceOf: ReadReference): Json => {
  if (!isJsonObject(node)) return node;
  const linked = entriesOf(node).map(([type, entry]): [string, Json] => {
    const reference = referenceOf(node, type, entry);
    const found = outcomes.get(keyOf(reference));
    const isLinked = found?.how === 'name' || found?.how === 'given';
    if (!isLinked || found.id === undefined || found.id === reference.id) return [type, entry];
    const rest: JsonObject = isJsonObject(entry) ? entry : {};
    return [type, { ...rest, id: found.id, name: reference.name }];
  });
  const isUnchanged = entriesOf(node).every(([, entry], index) => linked[index]?.[1] === entry);
  return isUnchanged ? node : { ...node, credentials: Object.fromEntries(linked) };
};

/** Looks up references; the ones that the caller chose only by the chosen id. */
const lookUp = async (
  references: ReadonlyMap<string, NodeReference>,
  workflow: NamingWorkflow,
  findCredentials: FindCredentials,
  given: GivenCredentials,
): Promise<Outcomes> => {
  const asked = [...references].map(([key, reference]) => {
    const id = given.get(`${reference.type}/${reference.name}`);
    const type = reference.storedType;
    return { key, id, reference: { type, id: id ?? reference.id, name: id === undefined ? reference.name : '' } };
  });
  const found = await findCredentials(
    workflow,
    asked.map(({ reference }) => reference),
  );
  return new Map(
    asked.flatMap(({ key, id }, index): [string, FoundCredential][] => {
      const outcome = found[index];
      if (outcome === undefined) return [];
      return [[key, id !== undefined && outcome.how === 'id' ? { ...outcome, how: 'given' } : outcome]];
    }),
  );
};

/**
 * Looks up the credentials that the nodes of a definition name. One that is found by type and name gets the id of this
 * instance, so that an imported workflow uses the credential of the same name; so does one that the caller chose.
 */
export const linkCredentials = async (
  value: DefinitionJson,
  workflow: NamingWorkflow,
  findCredentials: FindCredentials,
  given: GivenCredentials = new Map(),
  storedTypeOf: StoredTypeOf = (_nodeType, type) => type,
): Promise<LinkedDefinition> => {
  const referenceOf = referenceReader(storedTypeOf);
  const nodes = Array.isArray(value['nodes']) ? value['nodes'] : [];
  const references = new Map<string, NodeReference>();
  for (const node of nodes)
    for (const [type, entry] of entriesOf(node)) {
      const reference = referenceOf(node, type, entry);
      if (isNamed(reference)) references.set(keyOf(reference), reference);
    }
  if (references.size === 0) return { value, links: [] };
  const outcomes = await lookUp(references, workflow, findCredentials, given);
  const linked = nodes.map((node) => linkNode(node, outcomes, referenceOf));
  const links = nodes.flatMap((node, index) =>
    entriesOf(node).flatMap(([type, entry]): CredentialLink[] => {
      const reference = referenceOf(node, type, entry);
      const outcome = outcomes.get(keyOf(reference));
      const name = textField(node, 'name') ?? '';
      return outcome === undefined ? [] : [{ ...reference, node: name, index, found: outcome }];
    }),
  );
  return { value: linked.every((node, index) => node === nodes[index]) ? value : { ...value, nodes: linked }, links };
};
