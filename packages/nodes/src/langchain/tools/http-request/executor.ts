import { isJsonObject, type Json, type JsonObject, toolName } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, NodeFailure } from '@weft/engine';
import { runHttpRequest } from '../../../http-request/executor';
import type { RequestContext } from '../../../shared/http/request-context';
import { textParameter } from '../../../shared/read-parameter';
import { checkedInput, respondToEach } from '../input-tool';
import { optimizedBody, optimizesResponse } from './optimize-response';
import { filledJson, filledText, filledUrl } from './placeholders';
import { objectFrom, type PartName, readTemplate, requestSchema, type RequestTemplate } from './read-request';

/** The version of HTTP Request whose parameters the request has. */
const REQUEST_VERSION = 4.2;

/** Makes an HTTP request with values of a model. */
export const toolHttpRequest: NodeExecutor = {
  kind: 'langchain.toolHttpRequest',
  actsOutside: true,
  supplies: {
    ai_tool: (context) => ({
      functions: [
        {
          name: toolName(context.node.name) || 'http_request',
          description: textParameter(context, 'toolDescription', context.itemIndex),
          parameters: requestSchema(readTemplate(context, context.itemIndex).args),
        },
      ],
    }),
  },
  run: (context) => respondToEach(context, (index) => responseText(context, index)),
};

async function responseText(context: NodeContext, itemIndex: number): Promise<string> {
  const template = readTemplate(context, itemIndex);
  const input = checkedInput(context, itemIndex, requestSchema(template.args));
  const result = await runHttpRequest(requestContext(context, template, input, itemIndex), undefined);
  const [item] = result.kind === 'items' ? (result.outputs[0] ?? []) : [];
  const { body, data } = item?.json ?? {};
  const response = body ?? data ?? '';
  const short = optimizesResponse(context, itemIndex) ? await optimizedBody(context, response, itemIndex) : response;
  return typeof short === 'string' ? short : JSON.stringify(short, null, 2);
}

/** The context of an HTTP Request node that makes this request. */
function requestContext(
  context: NodeContext,
  template: RequestTemplate,
  input: JsonObject,
  itemIndex: number,
): RequestContext {
  const parameters = requestParameters(context, template, input, itemIndex);
  const read = (path: string): Json | undefined =>
    path
      .split('.')
      .reduce<Json | undefined>((value, step) => (isJsonObject(value) ? value[step] : undefined), parameters);
  const item = context.items[itemIndex] ?? { json: {} };
  return {
    node: context.node,
    version: REQUEST_VERSION,
    executionId: context.executionId,
    runIndex: context.runIndex,
    items: [item],
    continueOnFail: false,
    signal: context.signal,
    ports: context.ports,
    pause: () => context.pause(),
    parameter: read,
    jsonParameter: read,
    rawParameter: read,
    credential: (...type) => context.credential(...type),
    hide: (secret) => context.hide(secret),
  };
}

function requestParameters(
  context: NodeContext,
  template: RequestTemplate,
  input: JsonObject,
  itemIndex: number,
): JsonObject {
  const authentication = textParameter(context, 'authentication', itemIndex, 'none');
  const content = (part: PartName): JsonObject => filledPart(template, part, input, itemIndex);
  const isSent = (part: PartName): boolean => Object.keys(content(part)).length > 0;
  return {
    method: textParameter(context, 'method', itemIndex, 'GET'),
    url: filledUrl(template.url, input, authentication !== 'none', itemIndex),
    authentication,
    nodeCredentialType: textParameter(context, 'nodeCredentialType', itemIndex),
    genericAuthType: textParameter(context, 'genericAuthType', itemIndex),
    sendQuery: isSent('Query'),
    specifyQuery: 'json',
    jsonQuery: content('Query'),
    sendHeaders: isSent('Headers'),
    specifyHeaders: 'json',
    jsonHeaders: content('Headers'),
    sendBody: isSent('Body'),
    contentType: 'json',
    specifyBody: 'json',
    jsonBody: content('Body'),
    options: {
      response: { response: { fullResponse: true, responseFormat: 'autodetect', outputPropertyName: 'data' } },
    },
  };
}

/** The values of a part of the request, by name. */
function filledPart(template: RequestTemplate, part: PartName, input: JsonObject, itemIndex: number): JsonObject {
  const content = template.parts[part];
  const given = (name: string): Json | undefined => (Object.hasOwn(input, name) ? input[name] : undefined);
  switch (content?.kind) {
    case undefined:
      return {};
    case 'model': {
      const value = given(content.argument);
      if (isJsonObject(value)) return value;
      throw new NodeFailure(`"${content.argument}" must be an object`, { itemIndex });
    }
    case 'json': {
      const typeOf = (name: string): RequestTemplate['args'][number]['type'] =>
        template.args.find((one) => one.name === name)?.type;
      return objectFrom(filledJson(content.text, input, typeOf), part, itemIndex);
    }
    case 'values':
      return Object.fromEntries(
        content.values.flatMap(({ name, text }): [string, Json][] => {
          const value = text === undefined ? given(name) : filledText(text, input);
          return value === undefined ? [] : [[name, value]];
        }),
      );
  }
}
