/** Why the program can't start, in one sentence for the person who started it. */
export class StartFault extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartFault';
  }
}
