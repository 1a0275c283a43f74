import type { JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { eachItem, madeItem, type MadeItem } from '../shared/each-item';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { setPath } from '../shared/values/json-path';
import { GENERATED_FORMS, generated } from './generated';
import { CIPHERS, decryptText, decryptWithKey, encryptForKey, encryptText } from './ciphers';
import { digestOf, HASHES, macOf, signatureOf } from './digests';

/** Hashes, signs, generates and, from version 2 on, encrypts values. */
export const crypto: NodeExecutor = {
  kind: 'crypto',
  actsOutside: false,
  run: async (context) =>
    output(await eachItem(context, async (item, index) => [await resultFor(context, item, index)])),
};

async function resultFor(context: NodeContext, item: Item, index: number): Promise<MadeItem> {
  const json = { ...item.json };
  const path = textParameter(context, 'dataPropertyName', index, 'data') || 'data';
  setPath(json, path, await valueFor(context, item, index));
  return madeItem(json, item.binary);
}

async function valueFor(context: NodeContext, item: Item, index: number): Promise<string> {
  const encoding = choiceParameter(context, 'encoding', index, ['hex', 'base64']);
  const newer = context.version < 2 ? [] : (['encrypt', 'decrypt'] as const);
  switch (choiceParameter(context, 'action', index, ['hash', 'hmac', 'sign', 'generate', ...newer])) {
    case 'hash':
      return digestOf(choiceParameter(context, 'type', index, HASHES), await dataOf(context, item, index), encoding);
    case 'hmac': {
      const secret = await secretOf(context, 'secret', 'hmacSecret', index);
      return macOf(
        choiceParameter(context, 'type', index, HASHES),
        secret,
        await dataOf(context, item, index),
        encoding,
      );
    }
    case 'sign': {
      // Keys from JSON or a form may have lost their line breaks.
      const key = (await secretOf(context, 'privateKey', 'signPrivateKey', index)).replaceAll('\\n', '\n');
      return signatureOf(
        textParameter(context, 'algorithm', index),
        key,
        textParameter(context, 'value', index),
        encoding,
      );
    }
    case 'encrypt':
      return encrypted(context, index);
    case 'decrypt':
      return decrypted(context, index);
    case 'generate':
      return generated(
        choiceParameter(context, 'encodingType', index, GENERATED_FORMS),
        numberParameter(context, 'stringLength', index),
      );
  }
}

const isSymmetric = (context: NodeContext, index: number): boolean =>
  choiceParameter(context, 'mode', index, ['symmetric', 'asymmetric']) === 'symmetric';

async function encrypted(context: NodeContext, index: number): Promise<string> {
  const text = textParameter(context, 'value', index);
  if (isSymmetric(context, index)) {
    const passphrase = await credentialField(context, 'encryptionPassphrase', index);
    return encryptText(text, passphrase, choiceParameter(context, 'cipher', index, CIPHERS));
  }
  const key = await credentialField(context, 'encryptionPublicKey', index);
  return encryptForKey(text, key.replaceAll('\\n', '\n'), index);
}

async function decrypted(context: NodeContext, index: number): Promise<string> {
  const text = textParameter(context, 'value', index);
  if (isSymmetric(context, index)) {
    const passphrase = await credentialField(context, 'encryptionPassphrase', index);
    return decryptText(text, passphrase, choiceParameter(context, 'cipher', index, CIPHERS), index);
  }
  const key = await credentialField(context, 'encryptionPrivateKey', index);
  return decryptWithKey(text, key.replaceAll('\\n', '\n'), index);
}

/** Input of the hash: the string in the parameter, or the content of a file of the item. */
async function dataOf(context: NodeContext, item: Item, itemIndex: number): Promise<string | Uint8Array> {
  if (!booleanParameter(context, 'binaryData', itemIndex)) return textParameter(context, 'value', itemIndex);
  const name = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const file = item.binary !== undefined && Object.hasOwn(item.binary, name) ? item.binary[name] : undefined;
  if (file === undefined) throw new NodeFailure(`The item has no file in the field "${name}".`, { itemIndex });
  return context.ports.files.read(file);
}

/** From version 2 on, secrets are in a credential instead of the workflow. */
async function secretOf(context: NodeContext, parameter: string, field: string, itemIndex: number): Promise<string> {
  return context.version < 2
    ? textParameter(context, parameter, itemIndex)
    : credentialField(context, field, itemIndex);
}

async function credentialField(context: NodeContext, field: string, itemIndex: number): Promise<string> {
  const credential: JsonObject = await context.credential('crypto');
  const secret = Object.hasOwn(credential, field) ? credential[field] : undefined;
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new NodeFailure(`The credential has no "${field}".`, { itemIndex });
}
