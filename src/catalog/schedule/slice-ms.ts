/** How long work holds the event loop in one go, in milliseconds. */
export const SLICE_MS = 5;
