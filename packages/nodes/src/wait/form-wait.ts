import type { JsonObject } from '@weft/node-catalogue';
import { webhookSettingsOf } from '@weft/node-catalogue';
import type { CallerRequest, NodeContext } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { waitForPage } from '../form/page-wait';
import { textParameter } from '../read-parameter';
import { suffixOf } from './caller-wait';

/** What is shown when the form was taken. */
function endOf(context: NodeContext): JsonObject {
  const values = 'options.respondWithOptions.values';
  if (textParameter(context, `${values}.respondWith`, 0) === 'redirect')
    return { kind: 'redirect', url: textParameter(context, `${values}.redirectUrl`, 0) };
  return { kind: 'text', text: textParameter(context, `${values}.formSubmittedText`, 0) };
}

/** The wait for somebody to send a form, as the node's parameters say. @throws NodeFailure */
export function waitForForm(context: NodeContext): CallerRequest {
  const parameters: JsonObject = {
    authentication: textParameter(context, 'incomingAuthentication', 0, 'none'),
    options: toJson(context.parameter('options', 0)) ?? {},
  };
  const { authentication, ipWhitelist, ignoreBots } = webhookSettingsOf({
    ...context.node,
    type: 'weft-nodes-base.webhook',
    typeVersion: 1,
    parameters,
  });
  const leadsOn = textParameter(context, 'responseMode', 0, 'onReceived') !== 'onReceived';
  const callers: JsonObject = {
    authentication: { ...authentication },
    ipWhitelist: [...ipWhitelist],
    ignoreBots,
    leadsOn,
    end: endOf(context),
  };
  return waitForPage(context, {
    title: 'formTitle',
    description: 'formDescription',
    callers,
    suffix: suffixOf(context),
  });
}
