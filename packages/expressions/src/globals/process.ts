/**
 * `process` of expressions: the fields that n8n shows (2.41.1, `Expression.resolveSimpleParameterValue`), with nothing
 * in them about the process that evaluates: its number is that of the first process of a machine, its environment is
 * empty.
 */
export const processFields = (): Record<string, unknown> => ({
  arch: process.arch,
  env: {},
  platform: process.platform,
  pid: 1,
  ppid: 0,
  release: { name: 'node' },
  version: process.version,
  versions: { node: process.versions.node },
});
