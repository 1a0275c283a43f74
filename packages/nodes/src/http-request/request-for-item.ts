import type { FileStore, Item } from '@weft/engine';
import type { ClientCertificate, OutboundResponse } from '@weft/outbound';
import { applyCredential, type CredentialParts, NO_CREDENTIAL } from '../shared/http/authentication/apply-credential';
import { exchangeRun } from '../shared/http/authentication/exchange';
import { clientCertificateOf } from '../shared/http/authentication/client-certificate';
import type { RequestContext } from '../shared/http/request-context';
import { idempotencyKeyOf } from '../shared/http/request/idempotency-key';
import { fetchNodePages } from './pages';
import { readPagination } from './pagination-settings';
import { readCredentialType, readRequest, readResponseSettings } from './read-settings';
import { type ReadResponse, readResponse } from '../shared/http/response/read-response';
import { redactor } from '../shared/http/response/redact';
import { statusFailure } from '../shared/http/request-failed';
import type { ResponseBudget } from '../shared/http/response/response-budget';
import { itemsOf } from '../shared/http/response/response-items';
import { isSuccess, sendRequest } from '../shared/http/request/send-request';
import type { Parameters, RequestSettings } from '../shared/http/settings';

/** State shared by the requests of one node run. */
export interface RunShared {
  /** Absent: files are rejected. */
  readonly files: FileStore | undefined;
  readonly budget: ResponseBudget;
  /** By type. Each is requested once, when the first request needs it. */
  readonly credentials: Map<string, Promise<CredentialParts>>;
  /** The client certificate, requested once. */
  certificate?: Promise<ClientCertificate>;
}

/**
 * Processes one input item: sends the request, fetches further pages, and converts the responses to items.
 * @throws NodeFailure if any part fails
 */
export async function requestForItem(
  parameters: Parameters,
  context: RequestContext,
  shared: RunShared,
  itemIndex: number,
): Promise<Item[]> {
  const { files, budget } = shared;
  const { http, clock } = context.ports;
  const certificate = await certificateOf(parameters, context, shared);
  const first = {
    ...readRequest(parameters.read, context.version),
    ...(certificate === undefined ? {} : { clientCertificate: certificate }),
  };
  const settings = readResponseSettings(parameters.read);
  const pagination = readPagination(parameters);
  const credential = await credentialOf(parameters, context, shared);
  const failure = (response: OutboundResponse): Error =>
    statusFailure(response, itemIndex, redactor(credential.secrets()), settings);
  const send = async (request: RequestSettings, page: number): Promise<OutboundResponse> => {
    const response = await sendRequest(
      http,
      request,
      {
        credential,
        format: settings.format,
        item: context.items[itemIndex],
        files,
        signal: context.signal,
        maxResponseBytes: budget.limit(),
        idempotencyKey: idempotencyKeyOf(context.executionId, context.node.name, context.runIndex, itemIndex, page),
      },
      itemIndex,
    );
    budget.spend(response.body.length);
    return response;
  };
  const read = (response: OutboundResponse): Promise<ReadResponse> =>
    readResponse(response, settings, () => context.pause());
  const toItems = async (page: ReadResponse): Promise<Item[]> => {
    const items = await itemsOf(page, settings, itemIndex, files, context.items[itemIndex]);
    if (page.kind === 'file') budget.giveBack(page.response.body.length);
    return items;
  };
  if (pagination === undefined) {
    const response = await send(first, 0);
    if (!isSuccess(response) && !settings.neverError) throw failure(response);
    return toItems(await read(response));
  }
  const sleep = (ms: number): Promise<void> => clock.sleep(ms, context.signal);
  const pages = await fetchNodePages({
    parameters,
    settings: pagination,
    first,
    itemIndex,
    neverError: settings.neverError,
    send,
    read,
    failure,
    sleep,
  });
  const items: Item[] = [];
  for (const page of pages) items.push(...(await toItems(page)));
  return items;
}

async function credentialOf(
  { read }: Parameters,
  context: RequestContext,
  { credentials }: RunShared,
): Promise<CredentialParts> {
  const type = readCredentialType(read);
  if (type === undefined) return NO_CREDENTIAL;
  const asked =
    credentials.get(type) ?? context.credential(type).then((data) => applyCredential(type, data, exchangeRun(context)));
  credentials.set(type, asked);
  return asked;
}

async function certificateOf(
  { read }: Parameters,
  context: RequestContext,
  shared: RunShared,
): Promise<ClientCertificate | undefined> {
  if (context.version < 3 || read('provideSslCertificates') !== true) return undefined;
  shared.certificate ??= context.credential('httpSslAuth').then(clientCertificateOf);
  return shared.certificate;
}
