import type { JsonObject } from '@weft/service-kit/json-values';
import { compileParameter } from '../parameter';
import { evaluateWithin } from '../evaluate';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/values/virtual-object';

/** Stack levels of a parameter within a parameter, in addition to its code. */
const LEVELS = 20;

/** `$parameter`: the current node's parameters, each resolved when it is read. */
export class ParametersValue extends VirtualObject {
  constructor(private readonly parameters: JsonObject) {
    super();
  }

  override get(run: Run, key: string): unknown {
    const stored = Object.hasOwn(this.parameters, key) ? this.parameters[key] : undefined;
    if (stored === undefined) return undefined;
    run.enterCall(LEVELS);
    const value = evaluateWithin(compileParameter(stored), run);
    run.leaveCall(LEVELS);
    return run.take(value);
  }

  override keys(): readonly string[] {
    return Object.keys(this.parameters);
  }

  override result(run: Run): unknown {
    return Object.fromEntries(this.keys().map((key) => [key, this.get(run, key)]));
  }
}
