import { resolve } from 'node:path';
import { LOADS, SCALE_LOADS } from './loads';
import type { Load } from './loads/load';
import { RATE_LOADS } from './loads/rate-loads';
import type { Options } from './options';
import type { Arrangement } from './arrangements/arrange';
import { OWN_CHECKOUT, type SubjectPlan } from './stacks/subject';

/** Stacks and loads of a run. */
export interface Plan {
  readonly subjects: readonly SubjectPlan[];
  readonly loads: readonly Load[];
  /** Name of the stack that the others are compared with. */
  readonly reference?: string;
  readonly withCeilings: boolean;
  readonly withEngine: boolean;
}

/** The individual parts: store, gRPC hop, Express. They are measured in this checkout only. */
const CEILINGS = 'ceilings';
/** The engine in a process without services, in this checkout only. */
const ENGINE = 'engine';

/** Names that `--only` takes. */
export const LOAD_NAMES: readonly string[] = [CEILINGS, ...LOADS.map(({ name }) => name), ENGINE];

/**
 * Loads for this checkout alone, one that other programs do not have, and loads at a rate, which make stacks that keep
 * up with it look alike.
 */
const NOT_COMPARED: readonly string[] = [CEILINGS, ENGINE, 'notified', ...RATE_LOADS.map(({ name }) => name)];

const SCALES: readonly (readonly [name: string, replicas: SubjectPlan['replicas']])[] = [
  ['1 runner', {}],
  ['2 runners', { runner: 2 }],
  ['4 runners', { runner: 4 }],
  ['2 executions', { executions: 2 }],
];

/** A stack of a checkout. */
const weft = (name: string, folder: string): SubjectPlan => ({ name, kind: 'weft', folder, replicas: {} });

/** This checkout in an arrangement. */
const arranged = (arrangement: Arrangement): SubjectPlan => ({
  ...weft(arrangement, OWN_CHECKOUT),
  arrangement,
});

const subjectsOf = ({ scale, observed, secured, other, n8n }: Options): Pick<Plan, 'subjects' | 'reference'> => {
  if (scale)
    return {
      subjects: SCALES.map(([name, replicas]) => ({ ...weft(name, OWN_CHECKOUT), replicas })),
      reference: SCALES[0]?.[0] ?? '',
    };
  if (observed) return { subjects: [arranged('observed')], reference: 'unobserved' };
  if (secured) return { subjects: [arranged('secured'), arranged('plain')], reference: 'plain' };
  const own = weft('this', OWN_CHECKOUT);
  if (n8n !== undefined)
    return { subjects: [own, { name: 'n8n', kind: 'n8n', folder: resolve(n8n), replicas: {} }], reference: 'n8n' };
  if (other === undefined) return { subjects: [own] };
  return { subjects: [own, weft('other', resolve(other))], reference: 'other' };
};

/** Chooses the loads and stacks to measure. */
export const planOf = (options: Options): Plan => {
  const { subjects, reference } = subjectsOf(options);
  const usual = reference === undefined ? LOAD_NAMES : LOAD_NAMES.filter((name) => !NOT_COMPARED.includes(name));
  const names = options.only ?? (options.scale ? SCALE_LOADS : usual);
  return {
    subjects,
    ...(reference === undefined ? {} : { reference }),
    loads: LOADS.filter(({ name }) => names.includes(name)),
    withCeilings: names.includes(CEILINGS),
    withEngine: names.includes(ENGINE),
  };
};
