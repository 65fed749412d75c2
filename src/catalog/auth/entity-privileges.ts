/** Lets any aspect of an entity be written. */
export const EDIT = 'EDIT_ENTITY';
/** Lets the first aspect of an entity that does not exist be written. */
export const CREATE = 'CREATE_ENTITY';
/** Lets an entity be deleted permanently. */
export const DELETE = 'DELETE_ENTITY';
