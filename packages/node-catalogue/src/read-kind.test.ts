import { readKind } from './read-kind';

describe('a kind that was sent as JSON', () => {
  it('keeps the stored types of its credentials', () => {
    const kind = {
      ...{ kind: 'erp', label: 'ERP', description: 'Orders.', versions: [1], groups: ['output'] },
      ...{ isTrigger: false, inputs: ['main'], outputs: ['main'], parameters: [] },
      credentials: [
        { type: 'erpApi', storedType: 'httpBearerAuth', required: true },
        { type: 'httpBasicAuth', required: true },
      ],
    };
    expect(readKind(kind)?.credentials).toEqual(kind.credentials);
  });
});
