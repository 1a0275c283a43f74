import type { JsonObject } from '@weft/node-catalogue';
import { booleanField, isJsonObject, objectField, textField } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';

/** Settings of the first page that apply to later pages without such settings. */
export interface FormLook {
  readonly title: string;
  readonly button: string;
  readonly css: string;
  /** Whether submission times are in the zone of the workflow or in UTC. */
  readonly usesTimezone: boolean;
  /** Query of the first page's URL: initial values of fields. */
  readonly query: JsonObject;
}

const KEY = 'formLook';

/** Stores the settings of the first page for later ones. */
export function rememberLook(runMemory: JsonObject, look: FormLook): void {
  runMemory[KEY] = { ...look };
}

/** The settings of the first page; all empty if the run began without one. */
export function lookOf({ runMemory }: Pick<NodeContext, 'runMemory'>): FormLook {
  const known = runMemory[KEY] ?? null;
  const text = (key: string): string => (isJsonObject(known) ? (textField(known, key) ?? '') : '');
  return {
    title: text('title'),
    button: text('button'),
    css: text('css'),
    usesTimezone: booleanField(known, 'usesTimezone') ?? false,
    query: objectField(known, 'query') ?? {},
  };
}
