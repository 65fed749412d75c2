/** The type of entities that hold versions together, and the aspects that say so. */
export const SET = 'versionSet';
export const SET_KEY = 'versionSetKey';
export const OF_SET = 'versionSetProperties';
export const OF_ENTITY = 'versionProperties';
/** The relationship from a version to its set. */
export const VERSION_OF = 'VersionOf';
