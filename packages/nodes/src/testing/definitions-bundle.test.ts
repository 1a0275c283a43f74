import { bundleForBrowser } from '@weft/expressions/testing/browser-build';
import { readDefinition } from '@weft/node-catalogue';
import { join } from 'node:path';
import { checkAgainstKinds } from '../definitions/check-against-kinds';
import { checkDefinition } from '../definitions/check-definition';
import { KIND_TABLE } from '../descriptors/kinds';

describe('the check of a definition in a browser', () => {
  it('loads neither the catalogue nor a module of Node', () => {
    const { imports, gzipBytes } = bundleForBrowser(join(__dirname, '..', 'definitions', 'check-against-kinds.js'));
    expect(imports).toEqual([]);
    expect(gzipBytes).toBeLessThan(18_000);
  });

  it('finds what the service finds in settings, nodes and links, with the table that clients get', () => {
    const node = (name: string, type: string, parameters = {}) => ({ name, type, parameters, position: [0, 0] });
    const definition = readDefinition({
      name: 'W',
      nodes: [
        node('Start', 'n8n-nodes-base.manualTrigger'),
        node('Other', 'n8n-nodes-base.htpRequest'),
        node('If', 'n8n-nodes-base.if', {
          conditions: { conditions: [{ operator: { type: 'string', operation: 'x' } }] },
        }),
        node('Call', 'n8n-nodes-base.httpRequest', { method: 'NOPE' }),
      ],
      connections: { Start: { main: [[{ node: 'Cal', type: 'main', index: 0 }]] } },
      settings: { executionOrder: 'v0' },
    });
    const errors = checkAgainstKinds(definition, new Map(JSON.parse(JSON.stringify([...KIND_TABLE]))));
    expect(errors).toEqual(checkDefinition(definition));
    expect(errors.length).toBeGreaterThanOrEqual(4);
    expect(checkAgainstKinds(definition, new Map()).filter(({ field }) => field === 'type')).toHaveLength(4);
  });
});
