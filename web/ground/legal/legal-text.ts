/** A legal page in one language. Each text is loaded only when its page is opened in that language. */
export interface LegalText {
  title: string;
  /** The calendar day of the last change, as YYYY-MM-DD. */
  updated: string;
  intro: string;
  sections: {
    heading: string;
    paragraphs: string[];
    /** A list shown below the paragraphs. */
    points?: string[];
  }[];
}
