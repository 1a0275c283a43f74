import { kindsIn } from '@weft/nodes/descriptors';
import {
  definitionForRuns,
  descriptorAmong,
  isJsonObject,
  listField,
  numberField,
  readDefinition,
  textField,
  versionOf,
  type Json,
  type PinnedApp,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import type { DefinitionJson, TypeVersionDefault, Version } from '../workflows/workflow';

/** Resolves nodes without a `typeVersion` to the newest version of their kind. Unknown kinds have none. */
export const resolveTypeVersions = (definition: DefinitionJson, apps: readonly PinnedApp[]): TypeVersionDefault[] => {
  const kinds = kindsIn(withPins(apps));
  return listField(definition, 'nodes').flatMap((node) => {
    const name = textField(node, 'name');
    const descriptor = descriptorAmong({ type: textField(node, 'type') ?? '' }, kinds);
    if (name === undefined || descriptor === undefined || numberField(node, 'typeVersion') !== undefined) return [];
    return [{ node: name, typeVersion: versionOf({}, descriptor) }];
  });
};

/** The field of a version, or of a definition, with its apps. */
export const withPins = (apps: readonly PinnedApp[] | undefined): { readonly apps?: readonly PinnedApp[] } =>
  apps === undefined || apps.length === 0 ? {} : { apps };

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

/** A definition, completed and with the apps that it uses. */
export const readCompleted = (
  value: DefinitionJson,
  { typeVersions, apps }: Pick<Version, 'typeVersions' | 'apps'>,
): WorkflowDefinition => ({ ...readDefinition({ ...completeDefinition(value, typeVersions) }), ...withPins(apps) });

/** The completed definition of a stored version. */
export const readVersion = (version: Pick<Version, 'definition' | 'typeVersions' | 'apps'>): WorkflowDefinition =>
  readCompleted(parseStored(version), version);

/** The completed definition for runs as JSON text; the stored text if nothing is added to it. */
export const completeText = (version: Pick<Version, 'definition' | 'typeVersions' | 'apps'>): string =>
  definitionForRuns(
    version.typeVersions.length === 0 ? version.definition : undefined,
    () => ({ ...completeDefinition(parseStored(version), version.typeVersions) }),
    version.apps ?? [],
  );
