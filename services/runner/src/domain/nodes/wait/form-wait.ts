import type { JsonObject } from '@weft/node-catalogue';
import { webhookSettingsOf } from '@weft/node-catalogue';
import type { CallerRequest, NodeContext } from '../../engine/node';
import { toJson } from '../../expressions';
import { waitForPage } from '../form/page-wait';
import { textParameter } from '../read-parameter';
import { suffixOf } from './caller-wait';

/** The wait for somebody to send a form, as the node's parameters say. @throws NodeFailure */
export function waitForForm(context: NodeContext): CallerRequest {
  const parameters: JsonObject = { authentication: textParameter(context, 'incomingAuthentication', 0, 'none'), options: toJson(context.parameter('options', 0)) ?? {} };
  const { authentication, ipWhitelist, ignoreBots } = webhookSettingsOf({ ...context.node, type: 'weft-nodes-base.webhook', typeVersion: 1, parameters });
  const callers: JsonObject = { authentication: { ...authentication }, ipWhitelist: [...ipWhitelist], ignoreBots };
  return waitForPage(context, { title: 'formTitle', description: 'formDescription', callers, suffix: suffixOf(context) });
}
