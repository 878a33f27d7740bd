// test/support/fengari.d.ts: as much of Lua's C interface as redis.ts needs; the package has no types.
declare module "fengari" {
  export interface State {
    readonly _: unique symbol
  }
  export const to_luastring: (text: string) => Uint8Array
  export const to_jsstring: (text: Uint8Array) => string
  export const lauxlib: {
    readonly luaL_newstate: () => State
    readonly luaL_tolstring: (L: State, at: number) => Uint8Array
    readonly luaL_dostring: (L: State, script: Uint8Array) => number
  }
  export const lualib: { readonly luaL_openlibs: (L: State) => void }
  export const lua: {
    readonly LUA_TNUMBER: number
    readonly lua_createtable: (L: State, array: number, rest: number) => void
    readonly lua_pushstring: (L: State, text: Uint8Array) => void
    readonly lua_pushinteger: (L: State, value: number) => void
    readonly lua_pushboolean: (L: State, value: boolean) => void
    readonly lua_pushjsfunction: (L: State, f: (L: State) => number) => void
    readonly lua_rawseti: (L: State, table: number, at: number) => void
    readonly lua_rawgeti: (L: State, table: number, at: number) => number
    readonly lua_rawlen: (L: State, table: number) => number
    readonly lua_setglobal: (L: State, name: Uint8Array) => void
    readonly lua_setfield: (L: State, table: number, name: Uint8Array) => void
    readonly lua_settop: (L: State, top: number) => void
    readonly lua_gettop: (L: State) => number
    readonly lua_tonumber: (L: State, at: number) => number
    readonly lua_tostring: (L: State, at: number) => Uint8Array
    readonly lua_pop: (L: State, count: number) => void
  }
}
