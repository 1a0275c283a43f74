import { createServer } from 'node:net';
import { freePorts } from '../processes/free-port';
import { checkPorts, readPorts } from './check-ports';
import { forEachService } from './services';

describe('readPorts', () => {
  it('returns the fixed ports by default', () => {
    expect(readPorts({})).toEqual({
      gateway: 8080,
      workflows: 7001,
      executions: 7002,
      credentials: 7003,
      runner: 7004,
    });
  });

  it('takes each port from its variable', () => {
    const said = { PORT: '1', WORKFLOWS_PORT: '2', EXECUTIONS_PORT: '3', CREDENTIALS_PORT: '4', RUNNER_PORT: '65535' };
    expect(readPorts(said)).toEqual({ gateway: 1, workflows: 2, executions: 3, credentials: 4, runner: 65_535 });
  });

  it.each(['0', '65536', '80a', '-1', '1.5', ' '])('refuses %p and names the variable', (text) => {
    expect(() => readPorts({ RUNNER_PORT: text })).toThrow(
      `RUNNER_PORT is "${text}"; it must be a port, a whole number from 1 to 65535.`,
    );
  });
});

describe('checkPorts', () => {
  const different = async (): Promise<
    Record<'credentials' | 'workflows' | 'executions' | 'runner' | 'gateway', number>
  > => {
    const ports = await freePorts(5);
    return forEachService(() => ports.pop() ?? 0);
  };

  it('accepts free ports', async () => {
    await expect(checkPorts(await different())).resolves.toBeUndefined();
  });

  it('names a taken port and its variable', async () => {
    const ports = await different();
    const server = createServer();
    await new Promise<void>((settle) => server.listen(ports.gateway, '127.0.0.1', settle));
    const checked = checkPorts(ports).finally(() => server.close());
    await expect(checked).rejects.toThrow(
      `Port ${ports.gateway}, on which gateway is to listen, is taken. Set PORT to a free one`,
    );
  });

  it('names two services that are meant for one port', async () => {
    const ports = await different();
    await expect(checkPorts({ ...ports, runner: ports.workflows })).rejects.toThrow(
      `Port ${ports.workflows} is meant for runner and for workflows; set RUNNER_PORT to another one.`,
    );
  });
});
