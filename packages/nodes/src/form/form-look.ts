import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject, textField } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';

/** Style of the pages of a form that state none: that of the page that started the run. */
export interface FormLook {
  readonly title: string;
  readonly description: string;
  readonly button: string;
  readonly css: string;
}

const KEY = 'formLook';

/** Stores the style of the first page for later ones. */
export function rememberLook(runMemory: JsonObject, look: FormLook): void {
  runMemory[KEY] = { ...look };
}

/** The style of the first page; all empty if the run began without one. */
export function lookOf({ runMemory }: Pick<NodeContext, 'runMemory'>): FormLook {
  const known = runMemory[KEY] ?? null;
  const text = (key: string): string => (isJsonObject(known) ? (textField(known, key) ?? '') : '');
  return { title: text('title'), description: text('description'), button: text('button'), css: text('css') };
}
