import { setFlagsFromString } from 'node:v8';

/**
 * For its effect: a service imports it before all else. Most of what a start makes stays, so V8 takes the young
 * generation for too small and lets it grow to 32 MiB or more, which the process then holds whether it ever works or
 * not. With this it stays as small as V8 makes it, 1 MiB or 2, until `runService` lets it grow.
 */
setFlagsFromString('--semi-space-growth-factor=1');
