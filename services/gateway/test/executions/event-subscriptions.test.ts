import { PauseReason } from '@weft/proto/event-subscriptions';
import { KEYS } from '../peers/identity';
import { subscriptionOf } from '../peers/subscriptions';
import { startGateway, type TestGateway } from '../support/start-gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  gateway.subscriptions.stored.set('s1', subscriptionOf('s1'));
});
afterEach(() => gateway.stop());

const SHOWN = {
  id: 's1',
  projectId: 'user-1',
  name: 'ends',
  url: 'https://receiver.example/',
  statuses: ['error'],
  batch: 1,
  allOwners: false,
  paused: false,
  pauseReason: null,
  pausedAt: null,
  failingSince: null,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
};

describe('GET /api/v1/event-subscriptions', () => {
  it('lists subscriptions, of one owner if asked', async () => {
    const { status, json } = await gateway.api('GET', '/event-subscriptions?projectId=p1', { key: KEYS.viewer });
    expect([status, json]).toEqual([200, { data: [SHOWN] }]);
    expect(gateway.subscriptions.callsOf('listEventSubscriptions')).toMatchObject([{ request: { projectId: 'p1' } }]);
  });
});

describe('GET /api/v1/event-subscriptions/:id', () => {
  it('shows a subscription with its ETag, and 304 to a client that has it', async () => {
    const { status, json, headers } = await gateway.api('GET', '/event-subscriptions/s1', { key: KEYS.viewer });
    expect([status, json.data, headers.get('etag')]).toEqual([200, SHOWN, '"1"']);
    const again = await gateway.api('GET', '/event-subscriptions/s1', { headers: { 'if-none-match': '"1"' } });
    expect(again.status).toBe(304);
  });

  it('says why it is paused', async () => {
    const paused = { pauseReason: PauseReason.PAUSE_REASON_GONE, pausedAt: new Date(0), failingSince: new Date(1) };
    gateway.subscriptions.stored.set('s1', subscriptionOf('s1', paused));
    const { json } = await gateway.api('GET', '/event-subscriptions/s1');
    expect(json.data).toMatchObject({
      pauseReason: 'gone',
      pausedAt: '1970-01-01T00:00:00.000Z',
      failingSince: '1970-01-01T00:00:00.001Z',
    });
  });

  it('is 404 for an unknown id', async () => {
    const { status, json } = await gateway.api('GET', '/event-subscriptions/none');
    expect([status, json.error]).toMatchObject([404, { details: { subscriptionId: 'none' } }]);
  });
});

describe('POST /api/v1/event-subscriptions', () => {
  it('creates one with the settings of the body, and 1, all and false for those that are missing', async () => {
    const body = { name: 'ends', url: 'https://receiver.example/', projectId: 'p1' };
    const { status, headers, json } = await gateway.api('POST', '/event-subscriptions', { body });
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([
      201,
      '/api/v1/event-subscriptions/s1',
      '"1"',
    ]);
    expect(json.data).toMatchObject({ id: 's1', statuses: [] });
    expect(gateway.subscriptions.callsOf('createEventSubscription')).toMatchObject([
      {
        request: {
          projectId: 'p1',
          settings: {
            name: 'ends',
            url: 'https://receiver.example/',
            statuses: [],
            workflowIds: [],
            batch: 1,
            credentialId: '',
            allOwners: false,
            paused: false,
          },
        },
      },
    ]);
  });

  it.each([
    ['url', { name: 'n' }],
    ['batch', { name: 'n', url: 'u', batch: 51 }],
    ['statuses[0]', { name: 'n', url: 'u', statuses: ['running'] }],
    ['workflowIds[0]', { name: 'n', url: 'u', workflowIds: [''] }],
    ['status', { name: 'n', url: 'u', status: 'error' }],
  ])('refuses a body with an invalid %s, which the error names', async (field, body) => {
    const { status, json } = await gateway.api('POST', '/event-subscriptions', { body });
    expect([status, json.error]).toMatchObject([400, { details: { fields: [{ field }] } }]);
  });
});

describe('PUT /api/v1/event-subscriptions/:id', () => {
  it('accepts a response of GET, and passes the ETags of If-Match on', async () => {
    const { json } = await gateway.api('GET', '/event-subscriptions/s1');
    const body = { ...Object(json.data), workflowIds: ['w1'], credentialId: 'c1', allOwners: true, paused: true };
    const replaced = await gateway.api('PUT', '/event-subscriptions/s1', { body, headers: { 'if-match': '"1"' } });
    expect([replaced.status, replaced.headers.get('etag')]).toEqual([200, '"2"']);
    expect(replaced.json.data).toMatchObject({
      workflowIds: ['w1'],
      credentialId: 'c1',
      allOwners: true,
      paused: true,
    });
    const late = await gateway.api('PUT', '/event-subscriptions/s1', { body, headers: { 'if-match': '"1"' } });
    expect([late.status, late.json.error]).toMatchObject([412, { details: { reason: 'VERSION_CONFLICT' } }]);
  });
});

describe('DELETE /api/v1/event-subscriptions/:id', () => {
  it('deletes it in the state that the caller has seen', async () => {
    const late = await gateway.api('DELETE', '/event-subscriptions/s1', { headers: { 'if-match': '"0"' } });
    expect(late.status).toBe(412);
    const { status, json } = await gateway.api('DELETE', '/event-subscriptions/s1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    expect(gateway.subscriptions.stored.size).toBe(0);
  });
});

describe('GET /api/v1/event-subscriptions/:id/notifications', () => {
  it('shows a page of notifications in a state, with the last attempt of each', async () => {
    const path = '/event-subscriptions/s1/notifications?state=pending&limit=1';
    const { status, json } = await gateway.api('GET', path, { key: KEYS.viewer });
    const time = '2026-01-02T03:04:05.000Z';
    expect([status, json]).toEqual([
      200,
      {
        data: [
          {
            executionId: 'e1',
            eventId: 'e1:ended',
            state: 'pending',
            attempts: 1,
            createdAt: time,
            dueAt: time,
            attemptedAt: time,
            responseStatus: 500,
            error: 'The receiver responded with 500.',
          },
        ],
        nextCursor: 'next',
      },
    ]);
    expect(gateway.subscriptions.callsOf('listNotifications')).toMatchObject([{ request: { limit: 1, state: 1 } }]);
  });
});

describe('POST /api/v1/event-subscriptions/:id/notifications/:executionId/resend', () => {
  it('sends the notification of an execution again', async () => {
    const { status, json } = await gateway.api('POST', '/event-subscriptions/s1/notifications/e7/resend');
    expect([status, json.data]).toMatchObject([
      200,
      { executionId: 'e7', state: 'pending', attempts: 0, responseStatus: null, error: null },
    ]);
  });
});

describe('POST /api/v1/event-subscriptions/:id/test', () => {
  it('reports the response of the receiver', async () => {
    const { status, json } = await gateway.api('POST', '/event-subscriptions/s1/test');
    expect([status, json.data]).toEqual([
      200,
      { delivered: false, responseStatus: 500, error: 'The receiver responded with 500.' },
    ]);
  });
});
