import { CREDENTIAL_TYPES, isShown, type JsonObject, rootScope, textField } from '@weft/node-catalogue';
import { applyCredential } from '../shared/http/authentication/apply-credential';
import { type ExchangeRun, exchangeRun } from '../shared/http/authentication/exchange';
import type { AppCredential, AppRun } from './app-run';

/**
 * The credential of a node for an item: the first whose condition holds for the item's parameters; undefined if the
 * kind uses none.
 * @throws NodeFailure if the node names none
 */
export async function chooseCredential(run: AppRun, parameters: JsonObject): Promise<AppCredential | undefined> {
  const { descriptor, context, credentials } = run;
  const scope = rootScope(parameters, descriptor, context.version);
  const chosen = descriptor.credentials.find(({ shownWhen }) =>
    isShown({ name: '', label: '', type: 'string', ...(shownWhen === undefined ? {} : { shownWhen }) }, scope),
  );
  if (chosen === undefined) return undefined;
  const known = credentials.get(chosen.type) ?? readCredential(run, chosen.type);
  credentials.set(chosen.type, known);
  return known;
}

async function readCredential({ context }: AppRun, type: string): Promise<AppCredential> {
  return credentialOf(type, await context.credential(type), exchangeRun(context));
}

/** A credential of an app's requests. @throws NodeFailure if it lacks a field, or may not be used in requests */
export function credentialOf(type: string, data: JsonObject, run: ExchangeRun): AppCredential {
  const { fields = [], hosts = [] } = CREDENTIAL_TYPES.get(type) ?? {};
  const known = fields.filter(({ secret, isLogin }) => !secret && isLogin !== true);
  return {
    type,
    parts: applyCredential(type, data, run),
    publicFields: Object.fromEntries(known.map(({ name }) => [name, textField(data, name) ?? ''])),
    hosts,
  };
}
