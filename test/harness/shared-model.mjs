/**
 * Has all services and units that one worker tests share the model that ships: it never changes, and each aspect of it that is
 * written is compiled, which takes longer than a start. A model with files of a user is loaded for each.
 */
export function shareModel({ Model }) {
  const load = Model.load;
  const loaded = new Map();
  Model.load = (options = {}) => {
    const { builtIn, userFolder, unknownFields = 'refuse' } = options;
    if (builtIn !== undefined || userFolder !== undefined) return load.call(Model, options);
    if (!loaded.has(unknownFields)) loaded.set(unknownFields, load.call(Model, options));
    return loaded.get(unknownFields);
  };
}
