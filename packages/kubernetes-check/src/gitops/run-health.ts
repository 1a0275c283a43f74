import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lauxlib, lua, lualib, to_luastring, type LuaState } from 'fengari';
import { MANIFESTS } from '@weft/e2e/rendered';

/** What Argo CD shows. */
export interface Health {
  readonly status: string;
  readonly message: string;
}

/** Folder of the files for Argo CD. */
export const ARGOCD = join(MANIFESTS, 'components/gitops/argocd');

export const HEALTH_SCRIPT = readFileSync(join(ARGOCD, 'health.lua'), 'utf8');

const push = (state: LuaState, value: unknown): void => {
  if (typeof value === 'string') lua.lua_pushstring(state, to_luastring(value));
  else if (typeof value === 'number') lua.lua_pushnumber(state, value);
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value);
  else if (typeof value === 'object' && value !== null) {
    lua.lua_newtable(state);
    const entries = Array.isArray(value)
      ? value.map((item: unknown, index) => [index + 1, item] as const)
      : Object.entries(value);
    for (const [key, inner] of entries) {
      push(state, key);
      push(state, inner);
      lua.lua_settable(state, -3);
    }
  } else lua.lua_pushnil(state);
};

const fieldOf = (state: LuaState, name: string): string => {
  lua.lua_getfield(state, -1, to_luastring(name));
  return lua.lua_tojsstring(state, -1);
};

/** Runs a health script of Argo CD as it does: with the object as the global `obj`. @throws Error of the script */
export const runHealth = (script: string, object: object): Health => {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  push(state, object);
  lua.lua_setglobal(state, to_luastring('obj'));
  const isLoaded = lauxlib.luaL_loadstring(state, to_luastring(script)) === lua.LUA_OK;
  if (!isLoaded || lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK) throw new Error(lua.lua_tojsstring(state, -1));
  const status = fieldOf(state, 'status');
  lua.lua_getfield(state, -2, to_luastring('message'));
  return { status, message: lua.lua_tojsstring(state, -1) };
};
