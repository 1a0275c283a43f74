import { admits, isReading, rpcMethods } from '../../support/access-tables';
import { restRoutes } from '../../support/rest-routes';
import { permissionOf } from '../../support/route-permissions';

const METHODS = rpcMethods();

describe('the access tables of the services', () => {
  it('list the methods of every service of the contract', () => {
    expect(METHODS.length).toBeGreaterThan(80);
  });

  it('let a viewer change nothing but its own keys and sessions', () => {
    const open = METHODS.filter(({ rule }) => admits('viewer', rule));
    const changing = open.filter((method) => !isReading(method));
    expect(changing.map(({ name }) => name).sort()).toEqual(['createApiKey', 'deleteApiKey', 'signOutUser']);
  });

  it('name a permission for every REST route', () => {
    expect(restRoutes().filter((route) => permissionOf(route) === '')).toEqual([]);
  });
});
