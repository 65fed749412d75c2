import vm from 'node:vm';

/**
 * Has V8 compile each CommonJS module once in a worker. Jest loads its own parts, `expect` among them, anew for each file into
 * the context of the file: what takes most of that is to compile them, and their functions again when they are first called.
 * Functions of one script share what was compiled of them, whatever the context.
 */
export function compileOnce() {
  const { compileFunction } = vm;
  const compiled = new Map();
  vm.compileFunction = (code, parameters = [], options = {}) => {
    // What it imports when it runs comes by way of the file that has it compiled.
    if (options.parsingContext === undefined || /\bimport\s*\(/.test(code))
      return compileFunction(code, parameters, options);
    const { filename } = options;
    const names = parameters.join(',');
    let known = compiled.get(filename);
    if (known?.code !== code || known.names !== names) {
      // One line before the first line of the module.
      const script = new vm.Script(`(function (${names}) {\n${code}\n})`, { filename, lineOffset: -1 });
      compiled.set(filename, (known = { code, names, script }));
    }
    return known.script.runInContext(options.parsingContext);
  };
}
