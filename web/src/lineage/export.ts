import { plainPath } from '../words.js';
import { HEAD_Y, ROW, rowY, WIDTH, type Box } from './boxes.js';
import type { Placed } from './layout.js';
import { shapeOf } from './platform-icon.js';

const MARGIN = 20;
const FONT = 'system-ui, sans-serif';
/** Browsers draw no larger canvas; larger pictures are drawn smaller. */
const MOST_PIXELS = 8_000;

const escape = (text: string): string =>
  text.replace(/[&<>"\p{Cc}]/gu, (character) => (character < ' ' ? ' ' : `&#${character.charCodeAt(0)};`));

const short = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

interface Colours {
  page: string;
  text: string;
  quiet: string;
  line: string;
  accent: string;
}

/** The colours of the page as they are now, light or dark. */
function coloursOfPage(): Colours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const read = (name: string) => {
    probe.className = `colour-${name}`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    page: read('page'),
    text: read('text'),
    quiet: read('quiet'),
    line: read('line'),
    accent: read('accent'),
  };
  probe.remove();
  return colours;
}

function boxText(box: Box, x: number, y: number, colours: Colours): string {
  const { node, hidden, columns = [], more, height } = box;
  const dashed = hidden || node?.missing ? ' stroke-dasharray="4 3"' : '';
  const parts = [
    `<rect x="${x}" y="${y}" width="${WIDTH}" height="${height}" rx="8" fill="${colours.page}" stroke="${colours.line}"${dashed}/>`,
  ];
  const text = (value: string, dx: number, dy: number, size: number, fill: string, more = '') =>
    parts.push(
      `<text x="${x + dx}" y="${y + dy}" font-size="${size}" fill="${fill}"${more}>${escape(value)}</text>`,
    );
  if (hidden) text(`${hidden.count} hidden`, 12, 25, 13, colours.quiet);
  if (!node) return parts.join('');
  if (node.platform) {
    const { outline, fill, letters } = shapeOf(node.platform);
    parts.push(
      `<g transform="translate(${x + 10} ${y + 18})"><path d="${outline}" fill="${fill}"/>` +
        `<text x="12" y="16" text-anchor="middle" font-size="10.5" font-weight="700" fill="#fff">${escape(letters)}</text></g>`,
    );
  }
  const state = [node.removed && 'removed', node.missing && 'not described'].filter(Boolean);
  const struck = node.removed ? ' text-decoration="line-through"' : '';
  text(short(node.name, 26), 42, HEAD_Y - 4, 14, colours.text, ` font-weight="600"${struck}`);
  text(
    short([node.kind, node.platform, ...state].filter(Boolean).join(' · '), 34),
    42,
    HEAD_Y + 14,
    12,
    colours.quiet,
  );
  columns.forEach((path, index) => text(short(plainPath(path), 32), 12, rowY(index) + 4, 12, colours.text));
  if (more > 0) text(`${more} more`, 12, height - ROW / 2 + 4, 12, colours.quiet);
  return parts.join('');
}

interface Drawn {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** The picture as a file of its own, without anything of the page. */
function svgOf(placed: Placed, colours: Colours): Drawn {
  const places = placed.boxes.map((box) => ({ box, ...placed.places.get(box.id)! }));
  const left = Math.min(...places.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...places.map(({ y }) => y)) - MARGIN;
  const width = Math.ceil(Math.max(...places.map(({ x }) => x + WIDTH)) + MARGIN - left);
  const height = Math.ceil(Math.max(...places.map(({ y, box }) => y + box.height)) + MARGIN - top);
  const lines = placed.lines.map(({ source, target, sourceY, targetY, column }) => {
    const [from, to] = [placed.places.get(source)!, placed.places.get(target)!];
    const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + sourceY, to.x, to.y + targetY];
    const bend = Math.max(40, Math.abs(x2 - x1) / 2);
    const colour = column ? colours.accent : colours.quiet;
    return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="${colour}"/>`;
  });
  const boxes = places.map(({ box, x, y }) => boxText(box, x, y, colours));
  const text =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" font-family="${FONT}">` +
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colours.page}"/>${lines.join('')}${boxes.join('')}</svg>`;
  return { text, width, height };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Saves the picture as lines that stay sharp. */
export function downloadSvg(placed: Placed, name: string): void {
  save(new Blob([svgOf(placed, coloursOfPage()).text], { type: 'image/svg+xml' }), `lineage-${name}.svg`);
}

/** Saves the picture as pixels. */
export async function downloadPng(placed: Placed, name: string): Promise<void> {
  const { text, width, height } = svgOf(placed, coloursOfPage());
  const scale = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob) save(blob, `lineage-${name}.png`);
}
