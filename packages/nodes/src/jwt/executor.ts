import type { Json, JsonObject } from '@weft/node-catalogue';
import { decode, sign, verify } from 'jsonwebtoken';
import type { SignOptions, VerifyOptions } from 'jsonwebtoken';
import { type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { eachItem } from '../shared/each-item';
import {
  booleanParameter,
  choiceParameter,
  numberParameter,
  textParameter,
  toJsonObject,
} from '../shared/read-parameter';
import { claimsOf, jsonObject } from './claims';
import { readKey } from './jwt-key';

const MAX_TOKEN_LENGTH = 100_000;

/** Signs, verifies or decodes JSON web tokens. */
export const jwt: NodeExecutor = {
  kind: 'jwt',
  actsOutside: false,
  run: async (context) =>
    output(await eachItem(context, async (_, index) => [{ json: await resultFor(context, index) }])),
};

async function resultFor(context: NodeContext, index: number): Promise<JsonObject> {
  switch (choiceParameter(context, 'operation', index, ['sign', 'verify', 'decode'])) {
    case 'sign':
      return signed(context, index);
    case 'verify':
      return verified(context, index);
    case 'decode':
      return decoded(context, index);
  }
}

async function signed(context: NodeContext, index: number): Promise<JsonObject> {
  const { key, algorithm } = readKey(
    await context.credential('jwtAuth'),
    'sign',
    textParameter(context, 'options.algorithm', index),
  );
  const keyId = textParameter(context, 'options.kid', index);
  const header = jsonObject(context, 'headerClaims', index);
  const options: SignOptions = {
    algorithm,
    ...(keyId === '' ? {} : { keyid: keyId }),
    ...(Object.keys(header).length === 0 ? {} : { header: { alg: algorithm, ...header } }),
  };
  const issuedAt = Math.floor(context.ports.clock.now() / 1_000);
  const claims = claimsOf(context, index);
  return { token: sign({ ...claims, iat: claims['iat'] ?? issuedAt }, key, options) };
}

async function verified(context: NodeContext, index: number): Promise<JsonObject> {
  const { key, algorithm } = readKey(
    await context.credential('jwtAuth'),
    'verify',
    textParameter(context, 'options.algorithm', index),
  );
  const options: VerifyOptions = {
    algorithms: [algorithm],
    ignoreExpiration: booleanParameter(context, 'options.ignoreExpiration', index),
    ignoreNotBefore: booleanParameter(context, 'options.ignoreNotBefore', index),
    clockTolerance: numberParameter(context, 'options.clockTolerance', index),
    clockTimestamp: Math.floor(context.ports.clock.now() / 1_000),
  };
  const token = verify(tokenOf(context, index), key, { ...options, complete: true });
  return shown(token, context, index);
}

function decoded(context: NodeContext, index: number): JsonObject {
  const token = decode(tokenOf(context, index), { complete: true });
  if (token === null) throw new NodeFailure('The token is not a JSON web token.', { itemIndex: index });
  return shown(token, context, index);
}

/** The payload under a field of that name, or all parts of the token if configured. */
function shown(
  token: { header: unknown; payload: unknown; signature: string },
  context: NodeContext,
  itemIndex: number,
): JsonObject {
  const payload: Json = toJson(token.payload) ?? null;
  if (booleanParameter(context, 'options.complete', itemIndex))
    return { header: toJsonObject(token.header) ?? {}, payload, signature: token.signature };
  return { payload };
}

function tokenOf(context: NodeContext, itemIndex: number): string {
  const token = textParameter(context, 'token', itemIndex).trim();
  if (token === '')
    throw new NodeFailure('The JWT token was not provided', {
      itemIndex,
      description: 'Set the parameter "Token".',
    });
  if (token.length > MAX_TOKEN_LENGTH)
    throw new NodeFailure(`The token is longer than ${MAX_TOKEN_LENGTH} characters.`, { itemIndex });
  return token;
}
