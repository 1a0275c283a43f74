import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import type { DefinitionError, WorkflowSettings } from '../definition';

/** Maximum number of headers in `settings.webhookKey`. */
const MAX_HEADERS = 20;

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

const namesOf = (value: Json | undefined): readonly Json[] | undefined => {
  if (typeof value === 'string') return value.trim() === '' ? [] : value.split(',').map((name) => name.trim());
  return Array.isArray(value) ? value : undefined;
};

/** Errors of `settings.webhookKey`: the headers with the sender's id of an event. */
export function webhookKeyErrors(settings: Json | undefined): DefinitionError[] {
  const value = isJsonObject(settings) ? settings['webhookKey'] : undefined;
  if (value === undefined || value === null) return [];
  const names = namesOf(value);
  const isValid =
    names !== undefined &&
    names.length <= MAX_HEADERS &&
    names.every((name) => typeof name === 'string' && HEADER_NAME.test(name));
  if (isValid) return [];
  return [
    {
      field: 'settings.webhookKey',
      message:
        `\`settings.webhookKey\` must be a list of at most ${MAX_HEADERS} names of headers, for example ` +
        '["x-event-id"]; an empty list turns the recognition of repeated calls off.',
    },
  ];
}

/**
 * Headers with the sender's id of an event, in lower case, in order of preference; empty: repeated calls are not
 * recognized. Undefined: the default list.
 */
export function eventKeyRuleOf({ webhookKey }: WorkflowSettings): { headers: string[] } | undefined {
  const names = namesOf(webhookKey);
  if (names === undefined) return undefined;
  return { headers: names.flatMap((name) => (typeof name === 'string' ? [name.trim().toLowerCase()] : [])) };
}
