import { host } from '#platform';

/**
 * `process` of expressions: the fields that n8n shows (2.41.1, `Expression.resolveSimpleParameterValue`), with nothing
 * in them about the process that evaluates: its number is that of the first process of a machine, its environment is
 * empty.
 */
export const processFields = (): Record<string, unknown> => ({
  arch: host.arch,
  env: {},
  platform: host.platform,
  pid: 1,
  ppid: 0,
  release: { name: 'node' },
  version: host.version,
  versions: { node: host.version.slice(1) },
});
