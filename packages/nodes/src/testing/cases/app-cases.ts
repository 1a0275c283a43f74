import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  CREDENTIAL_TYPES,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  textField,
} from '@weft/node-catalogue';
import { parse } from 'yaml';
import { knownKind } from '../known-kind';
import type { CaseExchange, CaseFile, KindCases, NodeCase } from './node-case';

const APPS = join(__dirname.split(`${sep}packages${sep}`)[0] ?? '', 'packages', 'apps');

/** In place of a private key, which is then generated: no key is in the repository. */
const RSA_KEY = '$rsaKey';

/** The cases of all apps, from their `cases.yaml`. */
export function readAppCases(): KindCases[] {
  return readdirSync(APPS)
    .map((app) => join(APPS, app, 'cases.yaml'))
    .filter(existsSync)
    .flatMap((path) => {
      const content: Json = parse(readFileSync(path, 'utf8'));
      const all = listField(content, 'cases').map((one) => caseOf(one, path));
      return [...new Set(all.map(({ kind }) => kind))].map((kind) => ({
        kind,
        cases: all.filter((one) => one.kind === kind).map((one) => one.nodeCase),
      }));
    });
}

function caseOf(one: Json, path: string): { readonly kind: string; readonly nodeCase: NodeCase } {
  const it = textField(one, 'it') ?? '';
  const node = objectField(one, 'node');
  const kind = textField(node, 'type');
  if (kind === undefined || it === '') throw new Error(`${path}: a case needs \`it\` and \`node.type\`: ${it}`);
  const versions = listField(one, 'versions').filter((version) => typeof version === 'number');
  const inputs = listField(one, 'input').filter((item) => isJsonObject(item));
  const files = objectField(one, 'files') ?? {};
  const isContinued = isJsonObject(one) && one['continueOnFail'] === true;
  const credentials = objectField(one, 'credential') ?? {};
  const references = Object.keys(credentials).map((type) => [type, { id: 'c', name: 'C' }] as const);
  const credential = Object.values(credentials).find(isJsonObject) ?? {};
  const [type = ''] = Object.keys(credentials);
  const isCached = CREDENTIAL_TYPES.get(type)?.request?.session !== undefined;
  const isMade = isCached || Object.values(credential).includes(RSA_KEY);
  const call = objectField(one, 'call');
  const run = {
    items: call !== undefined ? [{ headers: {}, params: {}, query: {}, ...call }] : inputs.length > 0 ? inputs : [{}],
    ...(call === undefined ? {} : { isStart: true, mode: 'webhook' as const }),
    ...(isJsonObject(one) && one['isStart'] === true ? { isStart: true } : {}),
    parameters: objectField(node, 'parameters') ?? {},
    node: {
      credentials: Object.fromEntries(references),
      ...(isContinued ? { onError: 'continueRegularOutput' } : {}),
    },
  };
  return {
    kind,
    nodeCase: {
      it,
      versions: versions.length > 0 ? versions : knownKind(kind).versions,
      run: isMade ? () => ({ ...run, credential: withKeys(credential) }) : { ...run, credential },
      exchange: listField(one, 'exchange').map(exchangeOf),
      ...(Object.keys(files).length === 0 ? {} : { withFiles: filesOf(files) }),
      ...(isJsonObject(one) && Array.isArray(one['items']) ? { gives: [one['items']] } : {}),
      ...(isJsonObject(one) && Array.isArray(one['outputFiles'])
        ? { files: one['outputFiles'].filter((file) => isJsonObject(file)) }
        : {}),
      ...optional('fails', textField(one, 'fails')),
      ...waitsOf(objectField(one, 'waits')),
    },
  };
}

let rsaKey: string | undefined;
let runs = 0;

/** The data of a credential with its keys. Differs in each run, because tokens are cached by the data. */
function withKeys(data: JsonObject): JsonObject {
  if (!Object.values(data).includes(RSA_KEY)) return { ...data, runOfTheCase: (runs += 1) };
  rsaKey ??= generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  const key = rsaKey;
  runs += 1;
  const filled = Object.entries(data).map(([name, value]) => [name, value === RSA_KEY ? key : value] as const);
  return { ...Object.fromEntries(filled), runOfTheCase: runs };
}

const optional = <Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> => {
  const found: Partial<Record<Name, string>> = {};
  if (value !== undefined) found[name] = value;
  return found;
};

const waitsOf = (waits: JsonObject | undefined): Pick<NodeCase, 'waits'> => (waits === undefined ? {} : { waits });

function exchangeOf(one: Json): CaseExchange {
  const expected = objectField(one, 'expect') ?? {};
  const [method, host, path] = ['method', 'host', 'path'].map((name) => textField(expected, name));
  const status = isJsonObject(one) && typeof one['status'] === 'number' ? one['status'] : undefined;
  return {
    expect: {
      ...(method === undefined ? {} : { method }),
      ...(host === undefined ? {} : { host }),
      ...(path === undefined ? {} : { path }),
      ...(expected['body'] === undefined ? {} : { body: expected['body'] }),
      headers: textsIn(objectField(expected, 'headers')),
    },
    response: isJsonObject(one) ? one['response'] : '',
    headers: textsIn(objectField(one, 'headers')),
    ...(status === undefined ? {} : { status }),
  };
}

function textsIn(fields: JsonObject = {}): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, textField(fields, name) ?? '']));
}

function filesOf(files: JsonObject): Record<string, CaseFile> {
  return Object.fromEntries(
    Object.keys(files).map((name) => {
      const file = objectField(files, name);
      const [fileName, mimeType] = [textField(file, 'fileName'), textField(file, 'mimeType')];
      return [
        name,
        {
          content: textField(file, 'content') ?? '',
          ...(fileName === undefined ? {} : { fileName }),
          ...(mimeType === undefined ? {} : { mimeType }),
        },
      ];
    }),
  );
}
