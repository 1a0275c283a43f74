import { CREDENTIAL_TYPES, credentialText, type JsonObject } from '@weft/node-catalogue';
import type { AppDocument } from '@weft/app-model';
import { storedTypeOf } from '@weft/app-model/kinds';
import { NodeFailure } from '@weft/engine';
import { applyCredential } from '../shared/http/authentication/apply-credential';
import { chosenCredential } from '../definitions/chosen-credential';
import { type ExchangeRun, exchangeRun } from '../shared/http/authentication/exchange';
import type { AppCredential, AppRun } from './app-run';

/**
 * The credential of a node for an item: the first whose condition holds for the item's parameters; undefined if the
 * kind uses none.
 * @throws NodeFailure if the node names none
 */
export async function chooseCredential(run: AppRun, parameters: JsonObject): Promise<AppCredential | undefined> {
  const { descriptor, context, credentials } = run;
  const chosen = chosenCredential(descriptor, parameters, context.version);
  if (chosen === undefined) return undefined;
  const known = credentials.get(chosen.type) ?? readCredential(run, chosen.type);
  credentials.set(chosen.type, known);
  return known;
}

async function readCredential({ app, context }: AppRun, type: string): Promise<AppCredential> {
  const data = await context.credential(type, undefined, storedTypeOf(app, type));
  return credentialOf(app, type, data, exchangeRun(context));
}

/** A credential of an app's requests. @throws NodeFailure if it lacks a field, or may not be used in requests */
export function credentialOf(app: AppDocument, type: string, data: JsonObject, run: ExchangeRun): AppCredential {
  const use = app.credentials[type];
  const scopes = typeof use === 'object' && 'scopes' in use ? use.scopes : undefined;
  const stored = storedTypeOf(app, type);
  const { fields = [], hosts = [], hostField } = CREDENTIAL_TYPES.get(stored) ?? {};
  const known = fields.filter(({ secret, isLogin }) => !secret && isLogin !== true);
  const valueOf = (field: string): string => credentialText(stored, field, data);
  return {
    type,
    parts: applyCredential(stored, data, scopes === undefined ? run : { ...run, scopes }),
    publicFields: Object.fromEntries(known.map(({ name }) => [name, valueOf(name)])),
    hosts: hostField === undefined ? hosts : [hostIn(stored, hostField, valueOf(hostField))],
  };
}

/** The host and port of the URL in a field of a credential. */
function hostIn(type: string, name: string, value: string): string {
  const host = hostOfUrl(value);
  if (host === undefined)
    throw new NodeFailure(`The "${name}" of the credential of type ${type} is not a URL, such as https://example.com`);
  return host;
}

/** The host and port of a URL as a host pattern; undefined for any other text. */
export function hostOfUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
