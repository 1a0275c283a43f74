import { randomUUID } from 'node:crypto';
import { NodeFailure, SecretMask } from '@weft/engine';
import { regionalAddress } from '@weft/models';
import { credentialText, type Json, type JsonObject, listField, textField } from '@weft/node-catalogue';
import { OutboundError } from '@weft/outbound';
import { withoutTrailing } from '@weft/service-kit/text';
import { cursorText, readCursor } from '../../app/options/option-cursor';
import {
  type ListedOption,
  MAX_OPTIONS,
  OPTIONS_MS,
  type OptionsRequest,
  type OptionsResult,
} from '../../app/options/list-options';
import type { OutsidePorts } from '../../app/outside-of-runs';
import { checkedUrl } from '../../http-request/read-settings';
import { applyCredential } from '../../shared/http/authentication/apply-credential';
import { isSuccess, sendRequest } from '../../shared/http/request/send-request';
import { parseJsonText } from '../../shared/http/response/parse-json-text';
import { maskedLine } from '../../shared/masked-line';

/** Where a service lists its models. */
interface ModelList {
  /** Field of the credential with the address, or the address itself. */
  readonly address: string;
  readonly path: string;
  /** Fields of the response and of its entries. */
  readonly entries: 'data' | 'models';
  readonly value: 'id' | 'name';
  readonly label?: string;
}

const asOpenAi = (address = 'url'): ModelList => ({ address, path: '/models', entries: 'data', value: 'id' });

/** Lists by credential type. Azure lists deployments only to its management API. */
const LISTS: Readonly<Record<string, ModelList>> = {
  openAiApi: asOpenAi(),
  openRouterApi: asOpenAi(),
  deepSeekApi: asOpenAi(),
  xAiApi: asOpenAi(),
  vercelAiGatewayApi: asOpenAi(),
  groqApi: asOpenAi('https://api.groq.com/openai/v1'),
  mistralCloudApi: asOpenAi('https://api.mistral.ai/v1'),
  moonshotApi: asOpenAi(),
  minimaxApi: asOpenAi(),
  alibabaCloudApi: asOpenAi(),
  nvidiaApi: asOpenAi(),
  lemonadeApi: asOpenAi('baseUrl'),
  cohereApi: {
    address: 'https://api.cohere.com',
    path: '/v1/models?page_size=1000&endpoint=chat',
    entries: 'models',
    value: 'name',
  },
  anthropicApi: {
    address: 'url',
    path: '/v1/models?limit=1000',
    entries: 'data',
    value: 'id',
    label: 'display_name',
  },
  googlePalmApi: {
    address: 'host',
    path: '/v1beta/models?pageSize=1000',
    entries: 'models',
    value: 'name',
    label: 'displayName',
  },
  ollamaApi: { address: 'baseUrl', path: '/api/tags', entries: 'models', value: 'name' },
};

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_TEXT = 200;
const MAX_MESSAGE = 500;

/**
 * Lists the models that an account can use, for a form. The key goes to the address of the credential.
 * @param type credential type of the kind
 * @param ms time limit; for tests
 */
export async function listModels(
  type: string,
  { list, credential, search, cursor }: OptionsRequest,
  ports: OutsidePorts,
  signal: AbortSignal,
  ms = OPTIONS_MS,
): Promise<OptionsResult> {
  const known = Object.hasOwn(LISTS, type) ? LISTS[type] : undefined;
  if (known === undefined || list !== 'models') return refused('list', 'The kind has no list with this name.');
  const from = readCursor(cursor);
  if (from === undefined) return refused('cursor', 'It must be the `nextCursor` of an earlier answer.');
  if (credential?.type !== type) return refused('credentialId', `A credential of type ${type} is required.`);
  const mask = new SecretMask();
  mask.learn(type, credential.data);
  const limit = AbortSignal.timeout(ms);
  try {
    const all = await fetchModels(type, known, credential.data, ports, AbortSignal.any([limit, signal]), mask, ms);
    const wanted = search.trim().toLowerCase();
    const found = all.filter(({ label }) => label.toLowerCase().includes(wanted));
    const end = from.skip + MAX_OPTIONS;
    return {
      kind: 'options',
      options: found
        .slice(from.skip, end)
        .map(({ label, value }) => ({ label: maskedLine(mask, label, MAX_TEXT), value })),
      nextCursor: end < found.length ? cursorText({ next: undefined, skip: end }) : '',
    };
  } catch (thrown) {
    if (limit.aborted) return refused('list', `The service did not answer within ${ms / 1_000} s.`);
    if (!(thrown instanceof NodeFailure) && !(thrown instanceof OutboundError)) throw thrown;
    return refused('list', maskedLine(mask, thrown.message, MAX_MESSAGE));
  }
}

const refused = (field: 'list' | 'credentialId' | 'cursor', message: string): OptionsResult => ({
  kind: 'refused',
  field,
  message,
});

/** The address in the credential, or that of its region. */
const addressOf = (type: string, field: string, data: JsonObject): string =>
  credentialText(type, field, data) || (regionalAddress(type, data) ?? '');

async function fetchModels(
  type: string,
  list: ModelList,
  data: NonNullable<OptionsRequest['credential']>['data'],
  { http, now }: OutsidePorts,
  signal: AbortSignal,
  mask: SecretMask,
  timeoutMs: number,
): Promise<ListedOption[]> {
  const address = list.address.startsWith('https:') ? list.address : addressOf(type, list.address, data);
  const response = await sendRequest(
    http,
    {
      method: 'GET',
      url: checkedUrl(`${withoutTrailing(address, '/')}${list.path}`),
      query: [],
      listStyle: 'repeat',
      headers: [],
      timeoutMs,
      followRedirects: false,
      maxRedirects: 0,
      allowUnauthorizedCerts: false,
    },
    {
      credential: applyCredential(type, data, { now, hide: (secret) => mask.add(secret) }),
      format: 'json',
      item: undefined,
      files: undefined,
      signal,
      maxResponseBytes: MAX_BYTES,
      idempotencyKey: randomUUID(),
    },
    0,
  );
  if (!isSuccess(response))
    throw new NodeFailure(
      `The service answered ${response.status}. Check the credential, or write the name of a model.`,
    );
  return listField(bodyOf(response.body), list.entries)
    .flatMap((entry) => optionOf(list, entry))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
}

function bodyOf(body: Uint8Array): Json {
  try {
    return parseJsonText(Buffer.from(body).toString('utf8'));
  } catch {
    throw new NodeFailure('The response of the service is not JSON. Check the address in the credential.');
  }
}

function optionOf({ value: field, label }: ModelList, entry: Json): { label: string; value: string }[] {
  const value = textField(entry, field) ?? '';
  if (value === '' || value.length > MAX_TEXT) return [];
  const shown = label === undefined ? undefined : textField(entry, label);
  return [{ label: shown === undefined || shown === '' ? value : shown, value }];
}
