import { defineGlobal, defineLazyGlobal } from '../define';
import { structuredCloneOf } from '../globals/structured-clone';
import { lazily } from '../lazily';
import { jmespath, loader, luxon } from '../libraries';

/** Sets `require`, and the globals that belong to the available modules. */
export function installModules(): void {
  const load = loader();
  const buffer = lazily(() => ({ Buffer: load('bytes/buffer').createBufferFunction() }));
  const url = lazily(() => {
    const { CodeUrl, QueryParameters } = load('modules/url');
    return { URL: CodeUrl, URLSearchParams: QueryParameters };
  });
  const modules: Readonly<Record<string, unknown>> = {
    get buffer() {
      return buffer();
    },
    get crypto() {
      return load('modules/crypto').cryptoModule;
    },
    get jmespath() {
      return jmespath();
    },
    get luxon() {
      return luxon();
    },
    get url() {
      return url();
    },
  };
  defineGlobal('require', (name: unknown) => {
    const key = String(name).replace(/^node:/, '');
    if (Object.hasOwn(modules, key)) return modules[key];
    throw new Error(`Cannot find module '${String(name)}'. Code can use: ${Object.keys(modules).join(', ')}`);
  });
  defineLazyGlobal('Buffer', () => buffer().Buffer);
  defineLazyGlobal('crypto', () => load('modules/crypto').webCrypto);
  defineLazyGlobal('URL', () => url().URL);
  defineLazyGlobal('URLSearchParams', () => url().URLSearchParams);
  defineGlobal('structuredClone', (value: unknown) => structuredCloneOf(value));
}
