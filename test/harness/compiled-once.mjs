import vm from 'node:vm';

/**
 * Has V8 compile each CommonJS module once in a worker. Jest loads its own parts, `expect` among them, anew for each file into
 * the context of the file, and a good part of what that takes was compiling them.
 */
export function compileOnce() {
  const { compileFunction } = vm;
  const compiled = new Map();
  vm.compileFunction = (code, parameters, options) => {
    const known = compiled.get(options?.filename);
    // Data that V8 does not accept, for other parameters for example, it does not use.
    if (known?.code === code)
      return compileFunction(code, parameters, { ...options, cachedData: known.data });
    const made = compileFunction(code, parameters, { ...options, produceCachedData: true });
    compiled.set(options?.filename, { code, data: made.cachedData });
    return made;
  };
}
