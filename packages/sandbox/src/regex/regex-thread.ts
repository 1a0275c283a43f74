import type { MessagePort } from 'node:worker_threads';
import { parentPort, workerData } from 'node:worker_threads';
import type { RegexAnswer, RegexQuestion } from './regex-messages';
import { RegexProcess } from './regex-process';

// The thread that talks to the process while the evaluating thread blocks: expressions are synchronous.
const { port, signal }: { port: MessagePort; signal: Int32Array } = workerData;
const process = new RegexProcess((layer) => parentPort?.postMessage(layer));

port.on('message', (question: RegexQuestion | 'close') => {
  if (question === 'close') {
    process.close();
    port.close();
    return;
  }
  void process.ask(question).then(reply, () => reply({ isLate: true }));
});

function reply(answer: RegexAnswer): void {
  port.postMessage(answer);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
