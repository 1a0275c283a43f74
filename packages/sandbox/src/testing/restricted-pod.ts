import { readFileSync, readlinkSync } from 'node:fs';
import { refuseCall } from '../seal/filter';
import { PROCESS_OPTION, setProcessOption } from '../seal/kernel';
import { installFilter } from '../seal/seal';
import { sealArchitecture } from '../seal/system-calls';
import { RegexProcess } from '../regex/regex-process';
import { SealedPool } from '../pools/sealed-pool';
import type { SandboxLayer } from '../spawn-sandbox';
import { runScript } from './run-script';

// A test program. Its filter refuses `unshare`, like the default profile of container runtimes for a process without
// capabilities; then it searches with a regular expression and runs code, and prints its confinement as one line of
// JSON.

const missing: SandboxLayer[] = [];

const main = async (): Promise<void> => {
  const architecture = sealArchitecture();
  const unshare = architecture?.fatal['unshare'];
  if (architecture === undefined || unshare === undefined) throw new Error('There is no seal for this system.');
  setProcessOption(PROCESS_OPTION.noNewPrivileges, 1);
  installFilter(refuseCall(unshare), architecture);
  const regex = new RegexProcess((layer) => missing.push(layer));
  const sealed = new SealedPool({ processes: 1, memoryMb: 64, timeoutMs: 10_000 });
  await sealed.open();
  const answer = await regex.ask({ pattern: '(?<=a)b', flags: '', from: 0, text: 'ab' });
  const pid = regex.processId ?? 0;
  const facts = {
    match: 'match' in answer ? answer.match?.index : answer,
    missing,
    sharesNetwork: readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net'),
    openFiles: /^Max open files +(\d+) /m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1],
    sealedValue: (await runScript(sealed.of('owner'), 'return 2 + 2')).value,
  };
  regex.close();
  await sealed.close();
  process.stdout.write(`${JSON.stringify(facts)}\n`);
};

void main();
