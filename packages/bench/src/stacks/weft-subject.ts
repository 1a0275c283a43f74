import { SERVICES, StackError } from '@weft/local-stack';
import { createApi } from '../api';
import { arrange } from '../arrangements/arrange';
import { readMemory } from '../cpu/memory';
import type { NamedProcess } from '../cpu/process-cpu';
import { untilQuiet } from '../cpu/until-quiet';
import { commitOf, nodeOf } from './checkout-facts';
import type { StackSettings } from './stack-messages';
import { checkCheckout, startStackProcess } from './stack-process';
import type { Subject, SubjectKind } from './subject';

/** No rate limit, and nodes may reach the server of the bench. */
const ENV: StackSettings['env'] = {
  credentials: { RATE_LIMIT_PER_MINUTE: '0' },
  runner: { OUTBOUND_ALLOW: '127.0.0.1' },
};

const isService = (name: string): boolean => SERVICES.some((service) => service === name);

const together = (one: StackSettings['env'], other: StackSettings['env']): StackSettings['env'] =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [name, { ...one[name], ...other[name] }]),
  );

const aboutOf = (commit: string | undefined, processes: readonly NamedProcess[]): string => {
  const servers = processes.filter(({ showsChildren }) => !showsChildren).map(({ name }) => name);
  return (
    `commit ${commit ?? 'unknown'}, ` +
    `servers ${servers.length === 0 ? 'of others (their CPU is not measured)' : servers.join(', ')}`
  );
};

/** A stack of a checkout, which its own start builds. */
export const WEFT: SubjectKind = {
  check: checkCheckout,
  start: async (plan, report) => {
    const arranged = plan.arrangement === undefined ? undefined : await arrange(plan.arrangement);
    const settings = { replicas: plan.replicas, env: together(ENV, arranged?.env ?? {}) };
    const { facts, ...stack } = await startStackProcess(plan.folder, settings, report);
    arranged?.begin();
    const runner = facts.processes.find(({ name }) => name === 'runner');
    if (runner === undefined) throw new StackError(`The stack of ${plan.folder} has no runner.`);
    await untilQuiet(facts.processes);
    const commit = commitOf(plan.folder);
    const first: Subject = {
      ...plan,
      enter: () => Promise.resolve(),
      about: aboutOf(commit, facts.processes),
      commit,
      node: nodeOf(runner.pid),
      facts,
      parts: facts,
      api: createApi(facts.baseUrl, facts.apiKey),
      idleMiB: readMemory(facts.processes),
      stack: {
        failed: stack.failed,
        stop: async () => {
          await arranged?.stop();
          await stack.stop();
        },
      },
    };
    const services = facts.processes.filter(({ name }) => isService(name)).map(({ pid }) => pid);
    const [own, ...others] = (arranged?.states ?? []).map(({ name, enter }) => ({
      name,
      enter: () => enter(services),
    }));
    if (own === undefined) return [first];
    const whole = { ...first, ...own };
    return [whole, ...others.map((state) => ({ ...whole, ...state, stateOf: whole }))];
  },
};
