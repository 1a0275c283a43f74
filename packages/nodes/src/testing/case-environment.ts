import { openFormats } from '../shared/file-formats/open-formats';
import { type CaseServer, startCaseServer } from './servers/case-server';
import { openCode } from './open-code';
import type { KindRun } from './cases/run-kind';

/** The environment of cases. It is open while the tests of a file run. */
export interface CaseEnvironment {
  readonly server: CaseServer;
  /** Clients of the server, a sandbox, and the processes for untrusted data. */
  readonly ports: Pick<KindRun, 'http' | 'streams' | 'code' | 'formats'>;
}

/** Opens it before the tests of a file and closes it after them. Call it once, outside tests. */
export function caseEnvironment(): () => CaseEnvironment {
  const code = openCode();
  const formats = openFormats({ memoryMb: 256 });
  let server: CaseServer;
  beforeAll(async () => {
    server = await startCaseServer();
  });
  afterAll(async () => {
    await code.close();
    await formats.close();
    await server.close();
  });
  return () => ({ server, ports: { http: server.http, streams: server.streams, code, formats: formats.of('owner') } });
}
