// Folders of pages for people, with compressed copies of what is text: src/http/page-files.ts serves them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Writes `name.br` and `name.gz` beside each text of a folder. */
export function compressTexts(folder) {
  for (const file of readdirSync(folder)) {
    if (!/\.(js|css|html|svg)$/.test(file)) continue;
    const text = readFileSync(`${folder}/${file}`);
    writeFileSync(`${folder}/${file}.gz`, gzipSync(text, { level: 9 }));
    writeFileSync(
      `${folder}/${file}.br`,
      brotliCompressSync(text, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      }),
    );
  }
}
