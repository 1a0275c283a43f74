import { createHash } from 'node:crypto';
import { type CallFacts, eventKeyOf } from './event-key';

const FACTS: CallFacts = {
  headers: { 'x-github-delivery': 'd1' },
  caller: '',
  method: 'POST',
  path: 'hook',
  query: '',
  bodyJson: '{"n":1}',
  contentDigest: undefined,
  signedDigest: undefined,
};
const SIGNED = createHash('sha256').update('body').digest();
const keyOf = (over: Partial<CallFacts> = {}, headers?: string[]) =>
  eventKeyOf(headers === undefined ? undefined : { headers }, { ...FACTS, ...over })?.eventKey;

describe('the key of an event', () => {
  it('is the id in the header of a known sender, on a route, with the content', () => {
    expect(eventKeyOf(undefined, FACTS)).toMatchObject({ eventKeySigned: false });
    expect(keyOf({ headers: { ...FACTS.headers, 'user-agent': 'another attempt' } })).toBe(keyOf());
    const others = [
      keyOf({ headers: { 'x-github-delivery': 'd2' } }),
      keyOf({ headers: { 'webhook-id': 'd1' } }),
      keyOf({ bodyJson: '{"n":2}' }),
      keyOf({ query: 'n=1' }),
      keyOf({ path: 'other' }),
      keyOf({ caller: 'another' }),
      keyOf({ method: 'PUT' }),
      keyOf({ contentDigest: SIGNED }),
    ];
    expect(new Set([keyOf(), ...others]).size).toBe(others.length + 1);
  });

  it('does not exist without such a header, or if the workflow names none', () => {
    expect([keyOf({ headers: {} }), keyOf({ headers: { 'x-github-delivery': '' } })]).toEqual([undefined, undefined]);
    expect([keyOf({}, []), keyOf({ signedDigest: SIGNED }, [])]).toEqual([undefined, undefined]);
  });

  it('is the id in a header that the workflow names, the first that the call has', () => {
    const headers = { 'x-event': 'e1', 'x-github-delivery': 'd1' };
    expect(keyOf({ headers }, ['x-none', 'x-event'])).toBe(keyOf({ headers: { 'x-event': 'e1' } }, ['x-event']));
    expect(keyOf({ headers }, ['x-none', 'x-event'])).not.toBe(keyOf({ headers }));
    expect(keyOf({ headers }, ['x-none'])).toBeUndefined();
  });

  it('is the signed content of a signed call, whatever the rest of the call is', () => {
    const replays = [
      { headers: {} },
      { headers: { 'x-github-delivery': 'forged' } },
      { query: 'n=1' },
      { bodyJson: '"as text"' },
    ];
    const key = eventKeyOf(undefined, { ...FACTS, signedDigest: SIGNED });
    expect(key).toMatchObject({ eventKeySigned: true });
    for (const over of replays) expect(eventKeyOf(undefined, { ...FACTS, signedDigest: SIGNED, ...over })).toEqual(key);
    const other = createHash('sha256').update('another').digest();
    expect([keyOf({ signedDigest: other }), keyOf({ signedDigest: SIGNED, path: 'other' })]).not.toContain(
      key?.eventKey,
    );
  });

  it('of a signed call is the id in a header that the workflow names, otherwise its signed content', () => {
    const named = (id: string) => keyOf({ headers: { 'x-event': id }, signedDigest: SIGNED }, ['x-event']);
    expect(named('e1')).not.toBe(named('e2'));
    expect(keyOf({ headers: {}, signedDigest: SIGNED }, ['x-event'])).toBe(keyOf({ signedDigest: SIGNED }));
  });
});
