import { createBoundedCache } from '@weft/service-kit/caching';
import { InternalError } from '@weft/service-kit/errors';
import { isJsonObject, type Json, type JsonObject, parseJson } from '@weft/service-kit/json';
import { createAllowList } from './allow-list';
import type { CallerRules } from './check-caller';
import type { FileRules } from './webhook-body';

/** Settings of a webhook node, parsed and with defaults. */
export interface WebhookSettings extends CallerRules, FileRules {
  readonly responseMode: 'onReceived' | 'lastNode' | 'responseNode';
  readonly responseCode: number;
  readonly responseHeaders: readonly { readonly name: string; readonly value: string }[];
  /** Undefined: the standard sentence. */
  readonly responseText: string | undefined;
  readonly responseContentType: string | undefined;
  readonly noResponseBody: boolean;
  /** `*`, or origins. */
  readonly allowedOrigins: readonly string[];
}

const MODES = ['onReceived', 'lastNode', 'responseNode'] as const;
const WHOLE = ['always', 'other', 'never'] as const;
const CACHE_SIZE = 1_000;

const text = (object: JsonObject, key: string): string | undefined => {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
};

/** The texts in a list; none if it is no list. */
export const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

const readAuthentication = (value: Json | undefined): WebhookSettings['authentication'] => {
  const kind = isJsonObject(value) ? text(value, 'kind') : undefined;
  if (!isJsonObject(value) || kind === undefined)
    throw new InternalError(new Error('The settings of a webhook do not say how its callers are checked.'));
  return kind === 'none' ? undefined : { kind, credentialId: text(value, 'credentialId') ?? '' };
};

/** Reads who may call. @throws InternalError if that cannot be read: it must not open the channel. */
export const readCallerRules = (settings: JsonObject): CallerRules => ({
  authentication: readAuthentication(settings['authentication']),
  isAllowedAddress: createAllowList(texts(settings['ipWhitelist'])),
  ignoreBots: settings['ignoreBots'] === true,
});

const readHeaders = (value: Json | undefined): { name: string; value: string }[] =>
  (Array.isArray(value) ? value : []).flatMap((entry) => {
    const name = isJsonObject(entry) ? text(entry, 'name') : undefined;
    const content = isJsonObject(entry) ? text(entry, 'value') : undefined;
    return name === undefined || content === undefined ? [] : [{ name, value: content }];
  });

const readSettings = (json: string): WebhookSettings => {
  const settings = parseJson(Buffer.from(json));
  if (!isJsonObject(settings)) throw new InternalError(new Error('The settings of a webhook are no object.'));
  const { responseCode, noResponseBody } = settings;
  return {
    ...readCallerRules(settings),
    wholeBody: WHOLE.find((rule) => rule === settings['wholeBody']) ?? 'never',
    rawBody: settings['rawBody'] === true,
    fileProperty: text(settings, 'fileProperty') ?? '',
    responseMode: MODES.find((mode) => mode === settings['responseMode']) ?? 'onReceived',
    responseCode: typeof responseCode === 'number' ? responseCode : 200,
    responseHeaders: readHeaders(settings['responseHeaders']),
    responseText: text(settings, 'responseText'),
    responseContentType: text(settings, 'responseContentType'),
    noResponseBody: noResponseBody === true,
    allowedOrigins: (text(settings, 'allowedOrigins') ?? '*')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  };
};

/** Reads the settings_json of a resolved webhook. */
export type ReadWebhookSettings = (json: string) => WebhookSettings;

/**
 * A reader that knows the texts it read before, a bounded number of them: the settings of what is busy are read once.
 */
export const rememberReads = <Settings>(
  read: (json: string) => Settings,
  maxEntries = CACHE_SIZE,
): ((json: string) => Settings) => {
  const known = createBoundedCache<string, Settings>({ maxEntries });
  return function readSettingsOnce(json) {
    const found = known.get(json);
    if (found !== undefined) return found;
    const settings = read(json);
    known.set(json, settings);
    return settings;
  };
};

/** A reader of the settings of webhooks. */
export const createSettingsReader = (): ReadWebhookSettings => rememberReads(readSettings);
