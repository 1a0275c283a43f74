import { describeKind } from '@weft/nodes/descriptors';
import {
  isJsonObject,
  kindOf,
  listField,
  numberField,
  readDefinition,
  textField,
  versionOf,
  type Json,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import type { DefinitionJson, TypeVersionDefault, Version } from '../workflows/workflow';

/** Resolves nodes without a `typeVersion` to the newest version of their kind. Unknown kinds have none. */
export const resolveTypeVersions = (definition: DefinitionJson): TypeVersionDefault[] =>
  listField(definition, 'nodes').flatMap((node) => {
    const name = textField(node, 'name');
    const kind = kindOf(textField(node, 'type') ?? '');
    const descriptor = kind === undefined ? undefined : describeKind(kind);
    if (name === undefined || descriptor === undefined || numberField(node, 'typeVersion') !== undefined) return [];
    return [{ node: name, typeVersion: versionOf({}, descriptor) }];
  });

const withDefault = (node: Json, defaults: ReadonlyMap<string, number>): Json => {
  if (!isJsonObject(node) || numberField(node, 'typeVersion') !== undefined) return node;
  const typeVersion = defaults.get(textField(node, 'name') ?? '');
  return typeVersion === undefined ? node : { ...node, typeVersion };
};

/** The definition of a stored version, parsed. */
export const parseStored = ({ definition }: Pick<Version, 'definition'>): DefinitionJson => {
  const value: Json = JSON.parse(definition);
  return isJsonObject(value) ? value : {};
};

/** Adds the type versions resolved when the definition was stored, so that a newer catalogue does not change it. */
export const completeDefinition = (
  value: DefinitionJson,
  typeVersions: readonly TypeVersionDefault[],
): DefinitionJson => {
  const defaults = new Map(typeVersions.map(({ node, typeVersion }) => [node, typeVersion]));
  return { ...value, nodes: listField(value, 'nodes').map((node) => withDefault(node, defaults)) };
};

/** The completed definition of a stored version. */
export const readVersion = (version: Pick<Version, 'definition' | 'typeVersions'>): WorkflowDefinition =>
  readDefinition({ ...completeDefinition(parseStored(version), version.typeVersions) });

/** The completed definition as JSON text; the stored text if no default is missing. */
export const completeText = (version: Pick<Version, 'definition' | 'typeVersions'>): string =>
  version.typeVersions.length === 0
    ? version.definition
    : JSON.stringify(completeDefinition(parseStored(version), version.typeVersions));
