import { InternalError } from '@weft/service-kit/errors';
import { isJsonObject, type Json, parseJson } from '@weft/service-kit/json';
import type { CallerRules } from '../webhooks/check-caller';
import { readCallerRules } from '../webhooks/webhook-settings';
import { type FormPage, readFormPage, textOf } from './form-page';

/** The final page, unless the run sets its own. */
export type FormEnd =
  | { readonly kind: 'text'; /** Empty: the standard sentence. */ readonly text: string }
  | { readonly kind: 'redirect'; readonly url: string };

/** Settings of a form trigger, parsed and with defaults. */
export interface FormSettings extends CallerRules {
  readonly responseMode: 'onReceived' | 'lastNode' | 'responseNode';
  readonly page: FormPage;
  readonly end: FormEnd;
  /** The run may show pages of its own. */
  readonly hasPages: boolean;
}

const MODES = ['onReceived', 'lastNode', 'responseNode'] as const;

/** Reads what is shown at the end; the standard sentence if nothing is said. */
export const readEnd = (value: Json | undefined): FormEnd => {
  if (!isJsonObject(value)) return { kind: 'text', text: '' };
  return value['kind'] === 'redirect'
    ? { kind: 'redirect', url: textOf(value, 'url') }
    : { kind: 'text', text: textOf(value, 'text') };
};

/** Reads the settings_json of a resolved form. @throws InternalError if it does not say who may call */
export const readFormSettings = (json: string): FormSettings => {
  const settings = parseJson(Buffer.from(json));
  if (!isJsonObject(settings)) throw new InternalError(new Error('The settings of a form are no object.'));
  return {
    ...readCallerRules(settings),
    responseMode: MODES.find((mode) => mode === settings['responseMode']) ?? 'onReceived',
    page: readFormPage(settings['page']),
    end: readEnd(settings['end']),
    hasPages: settings['hasPages'] === true,
  };
};
