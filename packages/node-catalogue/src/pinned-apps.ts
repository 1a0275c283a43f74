import { isJsonObject, listField, textField, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { PinnedApp, WorkflowDefinition } from './definition';
import { readDefinition } from './read-definition';

/** Field with the apps, in the text of definitions for runs. */
const FIELD = 'weftApps';

/** Begins the text of a definition with apps. A field of this name anywhere else has no meaning. */
const BEGINNING = `{"${FIELD}":`;

/** The definition without the field that is reserved for apps; the same object if it has none. */
export function withoutPinnedApps(definition: JsonObject): JsonObject {
  if (!Object.hasOwn(definition, FIELD)) return definition;
  const { [FIELD]: _apps, ...rest } = definition;
  return rest;
}

/**
 * The text of a stored definition for runs, with the apps that its nodes use.
 * @param text as it is stored, or undefined if `parse` must be serialised
 * @param parse gives the definition
 */
export function definitionForRuns(
  text: string | undefined,
  parse: () => JsonObject,
  apps: readonly PinnedApp[],
): string {
  // Releases without apps stored any field.
  if (apps.length === 0 && text?.startsWith(BEGINNING) === false) return text;
  const rest = JSON.stringify(withoutPinnedApps(parse()));
  return apps.length === 0 ? rest : `${BEGINNING}${JSON.stringify(apps)},${rest.slice(1)}`;
}

/** Reads the text that `definitionForRuns` gives. */
export function readDefinitionForRuns(text: string): WorkflowDefinition {
  const value: Json = JSON.parse(text);
  const definition = readDefinition(value);
  const apps = text.startsWith(BEGINNING) ? listField(value, FIELD).flatMap(readApp) : [];
  return apps.length === 0 ? definition : { ...definition, apps };
}

function readApp(value: Json): PinnedApp[] {
  if (!isJsonObject(value)) return [];
  const [name, digest, json] = [textField(value, 'name'), textField(value, 'digest'), textField(value, 'json')];
  const kinds = listField(value, 'kinds').filter((kind) => typeof kind === 'string');
  if (name === undefined || digest === undefined || json === undefined || kinds.length === 0) return [];
  return [{ name, digest, kinds, json }];
}
