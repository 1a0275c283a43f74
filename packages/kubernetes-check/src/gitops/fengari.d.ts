/** The parts of fengari, Lua in JavaScript, that the check uses. */
declare module 'fengari' {
  export interface LuaState {
    readonly brand: 'LuaState';
  }
  export const lua: {
    readonly LUA_OK: number;
    readonly lua_newtable: (state: LuaState) => void;
    readonly lua_pushstring: (state: LuaState, text: Uint8Array) => void;
    readonly lua_pushnumber: (state: LuaState, value: number) => void;
    readonly lua_pushboolean: (state: LuaState, value: boolean) => void;
    readonly lua_pushnil: (state: LuaState) => void;
    readonly lua_settable: (state: LuaState, index: number) => void;
    readonly lua_setglobal: (state: LuaState, name: Uint8Array) => void;
    readonly lua_getfield: (state: LuaState, index: number, name: Uint8Array) => number;
    readonly lua_pcall: (state: LuaState, args: number, results: number, handler: number) => number;
    readonly lua_tojsstring: (state: LuaState, index: number) => string;
  };
  export const lauxlib: {
    readonly luaL_newstate: () => LuaState;
    readonly luaL_loadstring: (state: LuaState, text: Uint8Array) => number;
  };
  export const lualib: { readonly luaL_openlibs: (state: LuaState) => void };
  export const to_luastring: (text: string) => Uint8Array;
}
