import { kindOf } from './kind-of';

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
