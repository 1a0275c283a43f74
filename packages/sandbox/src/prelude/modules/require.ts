import { createBufferFunction } from '../bytes/buffer';
import { defineGlobal } from '../define';
import { structuredCloneOf } from '../globals/structured-clone';
import { jmespath, luxon } from '../libraries';
import { cryptoModule, webCrypto } from './crypto';
import { CodeUrl, QueryParameters } from './url';

/** Sets `require`, and the globals that belong to the modules it can give. */
export function installModules(): void {
  const Buffer = createBufferFunction();
  const modules: Readonly<Record<string, unknown>> = {
    buffer: { Buffer },
    crypto: cryptoModule,
    get jmespath() {
      return jmespath();
    },
    get luxon() {
      return luxon();
    },
    url: { URL: CodeUrl, URLSearchParams: QueryParameters },
  };
  defineGlobal('require', (name: unknown) => {
    const key = String(name).replace(/^node:/, '');
    if (Object.hasOwn(modules, key)) return modules[key];
    throw new Error(`Cannot find module '${String(name)}'. Code can use: ${Object.keys(modules).join(', ')}`);
  });
  defineGlobal('Buffer', Buffer);
  defineGlobal('crypto', webCrypto);
  defineGlobal('URL', CodeUrl);
  defineGlobal('URLSearchParams', QueryParameters);
  defineGlobal('structuredClone', (value: unknown) => structuredCloneOf(value));
}
