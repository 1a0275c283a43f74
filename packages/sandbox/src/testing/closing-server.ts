import { closeSync, readSync, writeSync } from 'node:fs';
import { serveForks } from '../fork/serve-forks';

// A fork server whose copies answer each byte, and at a `c` close their channel and keep running.
serveForks(() => {
  const byte = Buffer.alloc(1);
  while (readSync(0, byte, 0, 1, null) === 1) {
    if (byte.toString() !== 'c') {
      writeSync(1, byte);
      continue;
    }
    for (const descriptor of [0, 1]) closeSync(descriptor);
    for (;;);
  }
});
