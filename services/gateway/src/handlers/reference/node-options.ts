import { anyObject, idText, numberFrom, object, readBody, text } from '../../http/shape';
import { component, described, type Schema, TEXT, record } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { nextCursorText } from '../list-answer';

/** A choice for a parameter. */
export const NODE_OPTION: Schema = component(
  'NodeOption',
  record({ label: TEXT, value: described('A string, a number or a boolean.', {}) }),
);

/** Body of a request for options. */
export const OPTIONS_BODY = object(
  {
    list: idText({ description: 'Name of a list, from `list` of a parameter or of a mode of it.' }),
    version: numberFrom(0, { description: 'Version of the node type; the newest by default.' }),
    parameters: anyObject({
      description: 'Parameters of the node, at most 64 KiB. Those with expressions count as not set.',
    }),
    credentialId: idText({ description: 'A credential that the caller may use, of a type of the node.' }),
    search: text({ maxLength: 200, description: 'Text that the labels contain.' }),
    cursor: text({ maxLength: 4_000, description: '`nextCursor` of an earlier response.' }),
  },
  { required: ['list'] },
);

/** POST /node-types/:kind/options, an addition: choices for a parameter of an app, from its service. */
export const listNodeOptions: ApiHandler = async ({ id, body, principal }, { credentials, workflows }) => {
  const {
    list = '',
    version = 0,
    parameters = {},
    credentialId = '',
    search = '',
    cursor = '',
  } = readBody(OPTIONS_BODY, body);
  // Only workflows knows all node types: an unknown one is 404 here as elsewhere.
  await workflows.calls.getNodeType({ kind: id }, { principal });
  const { optionsJson, nextCursor } = await credentials.calls.listNodeOptions(
    { type: id, list, version, parametersJson: JSON.stringify(parameters), credentialId, search, cursor },
    { principal, waits: true },
  );
  return { status: 200, json: `{"data":${optionsJson.toString()},"nextCursor":${nextCursorText(nextCursor)}}` };
};
