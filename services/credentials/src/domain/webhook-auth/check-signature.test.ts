import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { checkSignature } from './check-signature';

const NOW = new Date('2026-01-02T03:04:05Z');
const NOW_S = NOW.getTime() / 1_000;
const BODY = Buffer.from('{"a": 1,\n"text":"\u00fc"}');
const hex = (text: Buffer | string, secret = 's3cret', prefix = ''): string =>
  createHmac('sha256', secret).update(prefix).update(text).digest('hex');
const check = (scheme: string, headers: Record<string, string>, body: Buffer | undefined = BODY): string =>
  checkSignature({ scheme, secret: 's3cret' }, new Map(Object.entries(headers)), NOW, body).kind;

const github = (body: Buffer | string = BODY, secret = 's3cret') => ({
  'x-hub-signature-256': `sha256=${hex(body, secret)}`,
});
const typeform = (body: Buffer | string = BODY, secret = 's3cret') => ({
  'typeform-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
});
const stripe = (time = NOW_S, body: Buffer | string = BODY, secret = 's3cret') => ({
  'stripe-signature': `t=${time},v1=${hex(body, secret, `${time}.`)},v0=ab`,
});
const slack = (time = NOW_S, body: Buffer | string = BODY, secret = 's3cret') => ({
  'x-slack-request-timestamp': String(time),
  'x-slack-signature': `v0=${hex(body, secret, `v0:${time}:`)}`,
});

/** The outcome before the body is read. */
const checkTime = (scheme: string, headers: Record<string, string>): string =>
  checkSignature({ scheme, secret: 's3cret' }, new Map(Object.entries(headers)), NOW, undefined).kind;

describe('a signed body', () => {
  it("matches the example in GitHub's documentation", () => {
    const headers = new Map([
      ['x-hub-signature-256', 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'],
    ]);
    const data = { scheme: 'github', secret: "It's a Secret to Everybody" };
    expect(checkSignature(data, headers, NOW, Buffer.from('Hello, World!'))).toEqual({
      kind: 'granted',
      claimsJson: '',
      secretHeader: 'x-hub-signature-256',
    });
  });

  it.each([
    ['github', github],
    ['stripe', (...given: [Buffer?, string?]) => stripe(NOW_S, ...given)],
    ['slack', (...given: [Buffer?, string?]) => slack(NOW_S, ...given)],
    ['typeform', typeform],
  ])('of %s is accepted byte for byte, under its secret alone', (scheme, sign) => {
    expect(check(scheme, sign())).toBe('granted');
    expect(check(scheme, sign(Buffer.from('{"a":1,"text":"\u00fc"}')))).toBe('wrong');
    expect(check(scheme, sign(BODY, 'other'))).toBe('wrong');
    expect(check(scheme, {})).toBe('missing');
  });

  it.each([
    ['stripe', stripe],
    ['slack', slack],
  ])('of %s is refused when its time is more than 5 minutes away, before the body is read', (scheme, sign) => {
    for (const seconds of [-301, 301]) expect(checkTime(scheme, sign(NOW_S + seconds))).toBe('wrong');
    for (const seconds of [-300, 300]) expect(checkTime(scheme, sign(NOW_S + seconds))).toBe('needs-body');
  });

  it('is refused if its timestamp is changed', () => {
    const { 'stripe-signature': signature } = stripe(NOW_S - 400);
    expect(check('stripe', { 'stripe-signature': signature.replace(/^t=\d+/, `t=${NOW_S}`) })).toBe('wrong');
    expect(check('slack', { ...slack(NOW_S - 400), 'x-slack-request-timestamp': String(NOW_S) })).toBe('wrong');
  });

  it('is accepted if one of several signatures is valid, as during a change of the secret', () => {
    const right = hex(BODY, 's3cret', `${NOW_S}.`);
    expect(check('stripe', { 'stripe-signature': `t=${NOW_S},v1=${hex('x')},v1=${right}` })).toBe('granted');
    const many = Array.from({ length: 10 }, () => `v1=${hex('x')}`).join(',');
    expect(check('stripe', { 'stripe-signature': `t=${NOW_S},${many},v1=${right}` })).toBe('wrong');
  });

  it.each([
    ['github', { 'x-hub-signature-256': `sha1=${hex(BODY)}` }],
    ['github', { 'x-hub-signature-256': hex(BODY) }],
    ['github', { 'x-hub-signature-256': `sha256=${hex(BODY).slice(2)}` }],
    ['stripe', { 'stripe-signature': `v1=${hex(BODY)}` }],
    ['stripe', { 'stripe-signature': `t=now,v1=${hex(BODY)}` }],
    ['slack', { 'x-slack-signature': `v0=${hex(BODY)}` }],
    ['unknown', github()],
  ])('is refused if it is malformed: %s %j', (scheme, headers) => {
    expect(check(scheme, headers)).toBe('wrong');
  });
});

describe('a body signed according to Standard Webhooks', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const OLD = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
  const headersOf = (secret: string, time = NOW, body: Buffer = BODY): Map<string, string> =>
    new Map([
      ['webhook-id', 'msg_1'],
      ['webhook-timestamp', String(time.getTime() / 1_000)],
      ['webhook-signature', new Webhook(secret).sign('msg_1', time, body.toString())],
    ]);
  const outcome = (headers: Map<string, string>, data: object = {}, body: Buffer | undefined = BODY): string =>
    checkSignature({ scheme: 'standard', secret: SECRET, ...data }, headers, NOW, body).kind;

  it('is accepted under its secret, and under the previous one during a rotation', () => {
    expect(outcome(headersOf(SECRET))).toBe('granted');
    expect(outcome(headersOf(OLD))).toBe('wrong');
    expect(outcome(headersOf(OLD), { previousSecret: OLD })).toBe('granted');
  });

  it('is accepted byte for byte, with its id and its time', () => {
    expect(outcome(headersOf(SECRET), {}, Buffer.from('{}'))).toBe('wrong');
    for (const [name, value] of [
      ['webhook-id', 'msg_2'],
      ['webhook-timestamp', String(NOW_S + 1)],
    ] as const)
      expect(outcome(headersOf(SECRET).set(name, value))).toBe('wrong');
    const late = new Date(NOW.getTime() - 301_000);
    expect(checkSignature({ scheme: 'standard', secret: SECRET }, headersOf(SECRET, late), NOW, undefined).kind).toBe(
      'wrong',
    );
  });

  it.each(['webhook-id', 'webhook-timestamp'])('is refused without the header %s', (name) => {
    const headers = headersOf(SECRET);
    headers.delete(name);
    expect(outcome(headers)).toBe('wrong');
  });

  it('is refused by a credential whose secret is malformed', () => {
    expect(outcome(headersOf(SECRET), { secret: 'plain' })).toBe('wrong');
  });
});
