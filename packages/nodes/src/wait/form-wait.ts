import type { FormEnd } from '@weft/proto/channels';
import type { JsonObject } from '@weft/node-catalogue';
import { formEnd } from '../definitions/form-settings';
import { webhookCallers } from '../definitions/webhook-settings';
import type { CallerRequest, NodeContext } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { waitForPage } from '../form/page-wait';
import { textParameter } from '../shared/read-parameter';
import { suffixOf } from './caller-wait';

/** The page shown after a form was accepted. */
function endPageOf(context: NodeContext): FormEnd {
  const values = 'options.respondWithOptions.values';
  return textParameter(context, `${values}.respondWith`, 0) === 'redirect'
    ? formEnd('redirect', textParameter(context, `${values}.redirectUrl`, 0))
    : formEnd('text', textParameter(context, `${values}.formSubmittedText`, 0));
}

/** The wait for the submission of a form, from the node's parameters. @throws NodeFailure */
export function waitForForm(context: NodeContext): CallerRequest {
  const parameters: JsonObject = {
    authentication: textParameter(context, 'incomingAuthentication', 0, 'none'),
    options: toJson(context.parameter('options', 0)) ?? {},
  };
  const callers = webhookCallers({
    ...context.node,
    type: 'weft-nodes-base.webhook',
    typeVersion: 1,
    parameters,
  });
  return waitForPage(context, {
    title: 'formTitle',
    description: 'formDescription',
    callers,
    leadsOn: textParameter(context, 'responseMode', 0, 'onReceived') !== 'onReceived',
    end: endPageOf(context),
    suffix: suffixOf(context),
  });
}
