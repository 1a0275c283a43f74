import { resolveTarget } from './resolve-target';

describe('addresses of a gRPC target', () => {
  it.each([
    ['ipv4:127.0.0.1:1,10.0.0.1:2', ['127.0.0.1:1', '10.0.0.1:2']],
    ['ipv6:[::1]:7002', ['[::1]:7002']],
    ['dns:///127.0.0.1:7002', ['127.0.0.1:7002']],
    ['127.0.0.1:7002', ['127.0.0.1:7002']],
  ])('are read from %s', async (target, addresses) => {
    expect(await resolveTarget(target)).toEqual(addresses);
  });
});
