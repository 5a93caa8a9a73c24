// Ours: the interpreter asks for three helpers that the vega bundle already has.
export const { ascending, isString, DisallowedObjectProperties } = globalThis.vega;
