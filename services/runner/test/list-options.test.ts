import type { FindApp } from '@weft/nodes/options';
import type { OutboundHttp } from '@weft/outbound';
import { ProbeServiceService } from '@weft/proto/probes';
import { bindService, createCaller } from '@weft/service-kit/grpc';
import { closeAfterEach, makeTestKeys, startFakePeer } from '@weft/service-kit/testing';
import { PROBE_ACCESS } from '../src/handlers/access';
import { createListOptions } from '../src/handlers/list-options';
import type { ShareLimits } from '../src/handlers/owner-shares';

const later = closeAfterEach();
const keys = makeTestKeys(['credentials', 'gateway', 'runner']);
const LIMITS: ShareLimits = { all: 4, each: 2, waiting: 4, eachWaiting: 2, waitMs: 50 };
const CHANNELS = { ok: true, channels: [{ id: 'C1', name: 'general' }] };
const QUESTION = {
  type: 'n8n-nodes-base.slack',
  version: 0,
  list: 'channels',
  parametersJson: '{}',
  credentialType: 'slackApi',
  dataJson: '{"accessToken":"xoxb-s3cret-word"}',
  search: '',
  cursor: '',
  userId: 'u1',
};

/** Slack, which keeps the requests of hostile users waiting. */
const slack = (): { http: OutboundHttp; urls: string[]; release: () => void } => {
  const urls: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const http: OutboundHttp = {
    request: async ({ url, headers = [] }) => {
      urls.push(url);
      if (headers.some(([, value]) => value.includes('hostile'))) await held;
      return { status: 200, statusText: 'OK', headers: {}, body: Buffer.from(JSON.stringify(CHANNELS)), url };
    },
  };
  return { http, urls, release: () => release() };
};

const serve = async (http: OutboundHttp, limits = LIMITS, findApp?: FindApp) => {
  const notTested = () => Promise.reject(new Error('Not part of this test.'));
  const listOptions = createListOptions({ http, ...(findApp === undefined ? {} : { findApp }) }, limits);
  const peer = await startFakePeer({
    name: 'runner',
    publicKeys: keys.publicKeys,
    services: [
      bindService(
        ProbeServiceService,
        { probeCredential: notTested, requestTokens: notTested, requestHook: notTested, listOptions },
        PROBE_ACCESS,
      ),
    ],
  });
  later(peer, (open) => open.stop());
  return (service = 'credentials') => {
    const { calls, close } = createCaller(ProbeServiceService, {
      service: 'runner',
      target: peer.target,
      sign: keys.signerOf(service),
    });
    later(close, (end) => end());
    return calls.listOptions;
  };
};

describe('ListOptions', () => {
  it('asks the service of the app with the credential', async () => {
    const { http, urls } = slack();
    const { optionsJson, nextCursor } = await (await serve(http))()(QUESTION);
    expect([JSON.parse(optionsJson.toString()), nextCursor]).toEqual([[{ label: '#general', value: 'C1' }], '']);
    expect(urls).toEqual([expect.stringMatching(/^https:\/\/slack\.com\/api\/conversations\.list\?/)]);
  });

  it('asks the service of an app that a user has added', async () => {
    const { http, urls } = slack();
    const type = '@acme/n8n-nodes-chat.chat';
    const app = {
      weftApp: 1,
      name: 'chat',
      label: 'Chat',
      hosts: ['chat.example.com'],
      credentials: {},
      calls: { api: { url: 'https://chat.example.com' } },
      lists: { rooms: { call: 'api', path: '/rooms', list: 'channels', label: 'name', value: 'id', search: 'here' } },
      kinds: { [type]: { label: 'Chat', description: 'x', versions: [1], groups: [], parameters: [], operations: {} } },
    };
    const findApp: FindApp = async (kind) => (kind === type ? JSON.stringify(app) : undefined);
    const ask = (await serve(http, undefined, findApp))();
    const question = { ...QUESTION, type, list: 'rooms', credentialType: '', dataJson: '' };
    expect(JSON.parse((await ask(question)).optionsJson.toString())).toEqual([{ label: 'general', value: 'C1' }]);
    expect(urls).toEqual(['https://chat.example.com/rooms']);
    await expect(ask({ ...question, type: '@acme/n8n-nodes-chat.other' })).rejects.toMatchObject({
      fields: [{ field: 'type' }],
    });
  });

  it.each([
    ['type', { type: 'n8n-nodes-base.set' }],
    ['list', { list: 'nothing' }],
    ['credentialId', { credentialType: 'telegramApi' }],
    ['parameters', { parametersJson: '[]' }],
    ['data_json', { dataJson: '"xoxb-s3cret-word"' }],
    ['cursor', { cursor: 'x' }],
  ])('refuses a wrong %s without a request, and quotes no secret', async (field, over) => {
    const { http, urls } = slack();
    const refused = (await serve(http))()({ ...QUESTION, ...over });
    await expect(refused).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field }] });
    await expect(refused).rejects.not.toThrow('s3cret');
    expect(urls).toEqual([]);
  });

  it('is for the credentials service only', async () => {
    const { http } = slack();
    await expect((await serve(http))('gateway')(QUESTION)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('serves a user while the lists of a hostile one hang', async () => {
    const { http, release } = slack();
    const list = (await serve(http))();
    const hostile = { ...QUESTION, userId: 'hostile', dataJson: '{"accessToken":"hostile-token"}' };
    const hanging = [list(hostile), list(hostile)];
    await expect(list(hostile)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    await expect(list(QUESTION)).resolves.toMatchObject({ nextCursor: '' });
    release();
    await Promise.all(hanging);
    await expect(list(hostile)).resolves.toMatchObject({ nextCursor: '' });
  });
});
