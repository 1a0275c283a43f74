import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { withoutEnds } from '@weft/service-kit/text';
import { webhookMethods } from '../definitions/routes';
import { webhookSettingsOf } from '../definitions/webhook-settings';
import { type CallerRequest, type NodeContext, NodeFailure, resumeTokenOf } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { booleanParameter, textParameter } from '../shared/read-parameter';
import { endOfLimit } from './end-of-wait';

/** Parameters shared with the Webhook node, under that node's names. */
const ANSWER_PARAMETERS = [
  'responseMode',
  'responseCode',
  'responseData',
  'responseBinaryPropertyName',
  'options',
] as const;
const MAX_SUFFIX = 200;

/** The wait for a call of the run's resume URL, from the node's parameters. @throws NodeFailure */
export function waitForCall(context: NodeContext): CallerRequest {
  const answer = answerParameters(context);
  const parameters: JsonObject = {
    ...answer,
    httpMethod: textParameter(context, 'httpMethod', 0, 'GET'),
    authentication: textParameter(context, 'incomingAuthentication', 0, 'none'),
  };
  const webhook = { ...context.node, type: 'weft-nodes-base.webhook', typeVersion: context.version, parameters };
  const at = limitOf(context);
  return {
    kind: 'webhook',
    token: resumeTokenOf(context.runMemory),
    answer,
    settings: {
      suffix: suffixOf(context),
      channel: {
        $case: 'webhook',
        value: { settings: webhookSettingsOf(webhook), methods: [...webhookMethods(webhook)] },
      },
    },
    ...(at === undefined ? {} : { at }),
  };
}

/** End of a wait for a caller if none arrives, in Unix milliseconds; undefined: never. @throws NodeFailure */
export function limitOf(context: NodeContext): number | undefined {
  if (!booleanParameter(context, 'limitWaitTime', 0)) return undefined;
  return endOfLimit(context);
}

/** The suffix after the token in the URL, without leading and trailing slashes. @throws NodeFailure */
export function suffixOf(context: NodeContext): string {
  const suffix = withoutEnds(textParameter(context, 'options.webhookSuffix', 0).trim(), '/');
  if (suffix.length > MAX_SUFFIX || /[?#\\\u0000-\u001f]/.test(suffix)) {
    throw new NodeFailure(
      `The URL suffix "${suffix.slice(0, 50)}" cannot be used. Use up to ${MAX_SUFFIX} characters ` +
        'that are valid in a URL.',
    );
  }
  return suffix;
}

/** The options without the condition for calls, whose expression is about a call that has not arrived yet. */
function optionsOf(context: NodeContext): unknown {
  const given = context.rawParameter('options');
  if (!isJsonObject(given)) return context.parameter('options', 0);
  const names = Object.keys(given).filter((name) => name !== 'onlyRunIf');
  return Object.fromEntries(names.map((name) => [name, context.parameter(`options.${name}`, 0)]));
}

function answerParameters(context: NodeContext): JsonObject {
  return Object.fromEntries(
    ANSWER_PARAMETERS.flatMap((name) => {
      const value = toJson(name === 'options' ? optionsOf(context) : context.parameter(name, 0));
      return value === undefined || (name === 'options' && !isJsonObject(value)) ? [] : [[name, value] as const];
    }),
  );
}
