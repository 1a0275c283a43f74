import { kindOf, nearestKinds } from './kind-of';

describe('kindOf', () => {
  it.each([
    ['weft-nodes-base.set', 'set'],
    ['n8n-nodes-base.set', 'set'],
    ['acme-nodes-base.httpRequest', 'httpRequest'],
    ['weft-nodes-base.start', 'manualTrigger'],
  ])('%s is %s', (type, kind) => {
    expect(kindOf(type)).toBe(kind);
  });

  it.each(['@n8n/n8n-nodes-langchain.agent', 'set', 'nodes-base.set', 'weft-nodes-base.', 'weft-nodes-base.a.b', ''])(
    '%s has no kind',
    (type) => {
      expect(kindOf(type)).toBeUndefined();
    },
  );
});

describe('nearestKinds', () => {
  const known = ['set', 'if', 'merge', 'httpRequest', 'webhook', 'scheduleTrigger'];

  it('finds the kinds meant by a typo, nearest first', () => {
    expect(nearestKinds('httpReqest', known)[0]).toBe('httpRequest');
    expect(nearestKinds('Webhok', known)[0]).toBe('webhook');
  });

  it('finds a name within the other', () => {
    expect(nearestKinds('schedule', known)).toContain('scheduleTrigger');
  });

  it('finds nothing for a name unlike any kind', () => {
    expect(nearestKinds('googleSheets', known)).toEqual([]);
  });
});
