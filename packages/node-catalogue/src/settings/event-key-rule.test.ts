import { eventKeyRuleOf, webhookKeyErrors } from './event-key-rule';

describe('settings.webhookKey', () => {
  it('names headers, in a list or separated by commas; empty turns the recognition off', () => {
    expect(eventKeyRuleOf({ webhookKey: ['X-Event-Id', 'ce-id'] })).toEqual({ headers: ['x-event-id', 'ce-id'] });
    expect(eventKeyRuleOf({ webhookKey: 'X-Event-Id, ce-id' })).toEqual({ headers: ['x-event-id', 'ce-id'] });
    expect([eventKeyRuleOf({ webhookKey: [] }), eventKeyRuleOf({ webhookKey: '' })]).toEqual([
      { headers: [] },
      { headers: [] },
    ]);
    expect([eventKeyRuleOf({}), eventKeyRuleOf({ webhookKey: null })]).toEqual([undefined, undefined]);
  });

  it('must be names of headers', () => {
    expect(webhookKeyErrors({ webhookKey: ['x-event-id'] })).toEqual([]);
    expect([webhookKeyErrors({ webhookKey: [] }), webhookKeyErrors({ webhookKey: '' }), webhookKeyErrors({})]).toEqual([
      [],
      [],
      [],
    ]);
    for (const webhookKey of [1, {}, [1], ['a b'], [''], 'a,,b', Array.from({ length: 21 }, () => 'x')])
      expect(webhookKeyErrors({ webhookKey })).toMatchObject([{ field: 'settings.webhookKey' }]);
  });
});
