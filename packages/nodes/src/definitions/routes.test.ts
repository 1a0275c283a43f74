import type { JsonObject } from '@weft/service-kit/json';
import { readDefinition } from '@weft/node-catalogue';
import { routeErrors, routesOf } from './routes';

const hook = (name: string, parameters: JsonObject, over: JsonObject = {}): JsonObject => ({
  name,
  type: 'weft-nodes-base.webhook',
  typeVersion: 2,
  parameters,
  ...over,
});
const of = (...nodes: JsonObject[]) => readDefinition({ name: 'x', nodes, connections: {} });

describe('routesOf', () => {
  it('gives a node one route, with slashes trimmed and GET by default', () => {
    expect(routesOf(of(hook('H', { path: '/orders/new/' })), 'w1')).toEqual([
      { key: 'GET orders/new', method: 'GET', path: 'orders/new', node: 'H', workflowId: 'w1' },
    ]);
  });

  it('gives a node a route for each of several methods', () => {
    const keys = routesOf(of(hook('H', { path: 'a', multipleMethods: true, httpMethod: ['PUT', 'POST'] })), 'w').map(
      (route) => route.key,
    );
    expect(keys.sort()).toEqual(['POST a', 'PUT a']);
    expect(routesOf(of(hook('H', { path: 'a', multipleMethods: true })), 'w').map((route) => route.method)).toEqual([
      'GET',
      'POST',
    ]);
  });

  it('puts the webhook id before a path with parameters, and uses it for an empty path', () => {
    const [withParameter] = routesOf(of(hook('H', { path: ':id/x', httpMethod: 'POST' }, { webhookId: 'u-1' })), 'w');
    expect(withParameter).toMatchObject({ key: 'POST u-1/:/x', path: 'u-1/:id/x' });
    expect(routesOf(of(hook('H', {}, { webhookId: 'u-2' })), 'w')[0]?.path).toBe('u-2');
  });

  it('leaves out disabled nodes and nodes of other kinds', () => {
    expect(
      routesOf(of(hook('H', { path: 'a' }, { disabled: true }), { name: 'N', type: 'weft-nodes-base.noOp' }), 'w'),
    ).toEqual([]);
  });
});

describe('routeErrors', () => {
  it.each([
    ['an empty path without an id', {}, 'needs a path'],
    ['a leading parameter', { path: ':id' }, 'cannot be a parameter'],
    ['an expression', { path: '={{ 1 }}' }, 'cannot be an expression'],
    ['a query', { path: 'a?b=1' }, 'invalid segment'],
    ['a parent segment', { path: 'a/../b' }, 'invalid segment'],
    ['a nameless parameter', { path: 'a/:' }, ':name'],
    ['a repeated parameter', { path: 'a/:x/:x' }, 'same name'],
    ['too many segments with a parameter', { path: 'a/b/c/d/e/f/:g' }, 'segments'],
  ])('reports %s', (_, parameters, text) => {
    const definition = of(hook('H', parameters));
    expect(routeErrors(definition)[0]?.message).toContain(text);
    expect(routesOf(definition, 'w')).toEqual([]);
  });

  it('reports two nodes with the same route, but not two methods of one path', () => {
    expect(routeErrors(of(hook('A', { path: 'p' }), hook('B', { path: 'p/' })))[0]).toMatchObject({ node: 'B' });
    expect(routeErrors(of(hook('A', { path: 'p' }), hook('B', { path: 'p', httpMethod: 'POST' })))).toEqual([]);
  });
});
