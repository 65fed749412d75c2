/** In front of a name as one token, and of its last piece: private characters that no text gives. */
export const WHOLE_NAME = '\uE000';
export const LAST_PIECE = '\uE001';
/** The first of the tokens that begin with these, and what comes after all of them. */
export const MARKED = WHOLE_NAME;
export const AFTER_MARKED = '\uE002';
