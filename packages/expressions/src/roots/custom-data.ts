import { toText } from '../runtime/convert';
import { NativeFunction } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/values/virtual-object';

/** `$execution.customData`: pairs that nodes of the run have stored for people to find it by. Read-only here. */
export class CustomDataValue extends VirtualObject {
  constructor(private readonly pairs: Readonly<Record<string, string>>) {
    super();
  }

  override get(_run: Run, key: string): unknown {
    if (key === 'getAll') return new NativeFunction('getAll', 0, (run) => run.take(this.pairs));
    if (key !== 'get') return undefined;
    return new NativeFunction('get', 1, (run, _self, [name]) => {
      const asked = toText(run, name);
      return Object.hasOwn(this.pairs, asked) ? this.pairs[asked] : undefined;
    });
  }

  override keys(): readonly string[] {
    return [];
  }
}
