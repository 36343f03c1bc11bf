import { inflateSync } from 'node:zlib';

type Objects = Map<string, string>;

const objectsOf = (pdf: Buffer): Objects =>
  new Map(
    [...pdf.toString('latin1').matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj$/gm)].map(
      ([, id = '', body = '']) => [id, body],
    ),
  );

const streamOf = (body = ''): string => {
  const data = /stream\n([\s\S]*)\nendstream/.exec(body)?.[1] ?? '';
  return body.includes('/FlateDecode') ? inflateSync(Buffer.from(data, 'latin1')).toString('latin1') : data;
};

/** The characters of an embedded font, by their glyph ids. */
const signsOf = (objects: Objects, font: string): string[] | undefined => {
  const id = /\/ToUnicode (\d+) 0 R/.exec(font)?.[1];
  if (id === undefined) return undefined;
  const ranges = streamOf(objects.get(id)).matchAll(/<[\da-f]{4}> <[\da-f]{4}> \[([^\]]*)\]/g);
  return [...ranges].flatMap(([, entries = '']) =>
    [...entries.matchAll(/<([\da-f ]*)>/g)].map(([, hex = '']) =>
      String.fromCharCode(...(hex.match(/[\da-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
    ),
  );
};

/** The texts on the pages of a PDF that this program made, piece by piece in the order of writing. */
export const pdfText = (pdf: Buffer): string[] => {
  const objects = objectsOf(pdf);
  const all = [...objects.values()];
  const fonts = new Map(
    all.flatMap((body) =>
      [...body.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [
        name,
        signsOf(objects, objects.get(id) ?? ''),
      ]),
    ),
  );
  const pages = all.flatMap((body) => /\/Contents (\d+) 0 R/.exec(body)?.[1] ?? []);
  return pages.flatMap((id) => {
    let signs: string[] | undefined;
    return [...streamOf(objects.get(id)).matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)].flatMap(
      ([, font, pieces]) => {
        if (font) signs = fonts.get(font);
        if (pieces === undefined) return [];
        const hex = [...pieces.matchAll(/<([\da-f]*)>/g)].map(([, part]) => part).join('');
        const embedded = signs;
        return embedded
          ? (hex.match(/.{4}/g) ?? []).map((place) => embedded[Number.parseInt(place, 16)] ?? '?').join('')
          : Buffer.from(hex, 'hex').toString('latin1');
      },
    );
  });
};
