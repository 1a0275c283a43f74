import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import type { Platform } from './platform';

/** Of this thread alone: collectors, compilers and pools of the process work for others as well. */
export const cpuMs: Platform['cpuMs'] = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export const heapBytes: Platform['heapBytes'] = () => getHeapStatistics().used_heap_size;

export const digest: Platform['digest'] = (algorithm, text) => createHash(algorithm).update(text).digest('hex');

export const encodeBase64: Platform['encodeBase64'] = (text) => Buffer.from(text, 'utf8').toString('base64');

export const decodeBase64: Platform['decodeBase64'] = (encoded) => Buffer.from(encoded, 'base64').toString('utf8');

export const host: Platform['host'] = {
  arch: process.arch,
  platform: process.platform,
  version: process.version,
};
