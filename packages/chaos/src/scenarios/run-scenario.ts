import { SERVICES } from '@weft/local-stack';
import type { Scenario } from '../arguments';
import type { ScenarioResult } from './scenario-result';
import { hostileTenant } from './tenants/hostile-tenant';
import { keyRotation } from './rotation/key-rotation';
import { manyOwners } from './tenants/many-owners';
import { natsRotation } from './rotation/nats-rotation';
import { overload } from './tenants/overload';
import { rollingRestart } from './rolling-restart';
import { strangers } from './strangers/strangers';

/** Settings of a scenario. */
export interface ScenarioOptions {
  /**
   * Time for which the hostile tenant or the overload lasts, or processes are restarted. Each scenario has a default.
   */
  readonly minutes: number | undefined;
  /** Starts of the ordinary load per second; the overload finds its own, and the key next to strangers has 20. */
  readonly perSecond: number;
  readonly report: (line: string) => void;
}

const HOSTILE_MINUTES = 5;
const MANY_OWNERS_MINUTES = 1;
const OVERLOAD_MINUTES = 2;
const STRANGERS_MINUTES = 2;
const ROUNDS = 2;

/** Runs a scenario. */
export const runScenario = (
  scenario: Scenario,
  { minutes, perSecond, report }: ScenarioOptions,
): Promise<ScenarioResult> => {
  switch (scenario) {
    case 'hostile-tenant':
      return hostileTenant({ minutes: minutes ?? HOSTILE_MINUTES, perSecond, report });
    case 'many-owners':
      return manyOwners({ minutes: minutes ?? MANY_OWNERS_MINUTES, perSecond, report });
    case 'rolling-restart':
      return rollingRestart({
        rounds: ROUNDS,
        services: [...SERVICES].reverse(),
        limitMs: (minutes ?? Number.POSITIVE_INFINITY) * 60_000,
        perSecond,
        report,
      });
    case 'overload':
      return overload({ minutes: minutes ?? OVERLOAD_MINUTES, report });
    case 'strangers':
      return strangers({ minutes: minutes ?? STRANGERS_MINUTES, report });
    case 'key-rotation':
      return keyRotation({ perSecond, report });
    case 'nats-rotation':
      return natsRotation({ perSecond, report });
  }
};
