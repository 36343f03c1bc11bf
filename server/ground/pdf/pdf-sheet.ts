import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { type Language, PRODUCT_NAME } from '../../../contract/ground/constants.ts';

const LEFT = 64;
export const RIGHT = 531;
export const TOP = 72;
/** Below this a new page begins. */
export const BOTTOM = 770;
export const BLUE = '#1864ab';
export const GREY = '#5c636a';
const INK = '#212529';
const RULE = '#dee2e6';

/** Read once, for the first sheet that needs it: 12 MB. Only the characters in use are embedded. */
let chinese: Buffer | undefined;
const chineseFont = (): Buffer => {
  chinese ??= readFileSync(
    fileURLToPath(
      import.meta.resolve(
        '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
      ),
    ),
  );
  return chinese;
};

const CHINESE = 'chinese';
const opened = new WeakSet<PDFKit.PDFDocument>();

/** What the fonts that every PDF reader has can show. */
const isLatin = (words: string): boolean => /^[\x20-\x7e\u00a0-\u00ff\u2022\u2013]*$/.test(words);

/** Opened once per document, and only where it is needed. */
const chineseName = (doc: PDFKit.PDFDocument): string => {
  if (!opened.has(doc)) {
    doc.registerFont(CHINESE, chineseFont());
    opened.add(doc);
  }
  return CHINESE;
};

type Weight = 'plain' | 'bold';
interface Style {
  x?: number;
  /** The right edge of the text; the page margin if not given. */
  right?: number;
  /** Of the baseline. */
  y: number;
  size: number;
  colour?: string;
  weight?: Weight;
  align?: 'left' | 'right';
}
const LATIN: Record<Weight, string> = { plain: 'Helvetica', bold: 'Helvetica-Bold' };

/** A4 sheets in the house's look, in both languages. */
export interface Sheet {
  write: (words: string, style: Style) => void;
  /** By how much more than one line the last words would take in this width. */
  extraHeight: (words: string, width: number) => number;
  rule: (y: number) => void;
  addPage: () => void;
}

const sheetOf = (doc: PDFKit.PDFDocument): Sheet => {
  const band = () => doc.rect(0, 0, doc.page.width, 10).fill(BLUE);
  band();
  return {
    write: (words, { x = LEFT, right = RIGHT, y, size, colour = INK, weight = 'plain', align = 'left' }) => {
      const latin = isLatin(words);
      doc
        .font(latin ? LATIN[weight] : chineseName(doc))
        .fontSize(size)
        .fillColor(colour);
      // The Chinese font has one weight: a thin outline makes it bold.
      const outline = !latin && weight === 'bold';
      if (outline) doc.lineWidth(size / 40).strokeColor(colour);
      // By the baseline, so that words in both fonts are on one line.
      doc.text(words, x, y, { width: right - x, align, baseline: 'alphabetic', fill: true, stroke: outline });
    },
    extraHeight: (words, width) => doc.heightOfString(words, { width }) - doc.currentLineHeight(true),
    rule: (y) => {
      doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(RULE).stroke();
    },
    addPage: () => {
      doc.addPage();
      band();
    },
  };
};

interface Facts {
  language: Language;
  title: string;
  createdAt: Date;
}

export const makePdf = (
  { language, title, createdAt }: Facts,
  draw: (sheet: Sheet) => void,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      lang: language.replace('_', '-'),
      info: { Title: title, Author: PRODUCT_NAME, CreationDate: createdAt },
    });
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
    draw(sheetOf(doc));
    doc.end();
  });
