import type { JsonObject } from '@weft/node-catalogue';
import { booleanField, isJsonObject, objectField, textField } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';

/** What the page that started the run says for later pages that state nothing of their own. */
export interface FormLook {
  readonly title: string;
  readonly button: string;
  readonly css: string;
  /** Whether times of submissions are in the zone of the workflow, or in UTC. */
  readonly usesTimezone: boolean;
  /** Query of the address of the first page: initial values of fields. */
  readonly query: JsonObject;
}

const KEY = 'formLook';

/** Stores what the first page says for later ones. */
export function rememberLook(runMemory: JsonObject, look: FormLook): void {
  runMemory[KEY] = { ...look };
}

/** What the first page says; all empty if the run began without one. */
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
