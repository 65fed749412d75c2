import { constants } from 'node:zlib';

/** How events are kept. They resemble each other: the lowest level makes a tenth of them, and less. */
export const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
