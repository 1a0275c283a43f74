import { readFileSync, readlinkSync } from 'node:fs';
import { CodePool } from '../code-pool';
import { refuseCall } from '../seal/filter';
import { PROCESS_OPTION, setProcessOption } from '../seal/kernel';
import { installFilter } from '../seal/seal';
import { sealArchitecture } from '../seal/system-calls';
import { SealedPool } from '../sealed-pool';
import type { SandboxLayer } from '../spawn-sandbox';
import { runScript } from './run-script';

// Program of a test. Its filter refuses `unshare`, as the default profile of container runtimes does to a process
// without capabilities; then it runs code in both engines and says, as one line of JSON, what confines them.

const limits = { memoryMb: 64, timeoutMs: 10_000 };
const missing: SandboxLayer[] = [];

const main = async (): Promise<void> => {
  const architecture = sealArchitecture();
  const unshare = architecture?.fatal['unshare'];
  if (architecture === undefined || unshare === undefined) throw new Error('There is no seal for this system.');
  setProcessOption(PROCESS_OPTION.noNewPrivileges, 1);
  installFilter(refuseCall(unshare), architecture);
  const quickJs = new CodePool({ processes: 1, ...limits, onMissingLayer: (layer) => missing.push(layer) });
  const sealed = new SealedPool({ processes: 1, ...limits });
  await sealed.open();
  const { value } = await runScript(quickJs, 'return 1 + 1');
  const pid = quickJs.processIds[0] ?? 0;
  const facts = {
    value,
    missing,
    sharesNetwork: readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net'),
    openFiles: /^Max open files +(\d+) /m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1],
    sealedValue: (await runScript(sealed.of('owner'), 'return 2 + 2')).value,
  };
  await quickJs.close();
  await sealed.close();
  process.stdout.write(`${JSON.stringify(facts)}\n`);
};

void main();
