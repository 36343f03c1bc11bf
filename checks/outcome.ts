/** What a check found. `note` is its one-line result; `faults` say what is wrong, one each. */
interface Outcome {
  note?: string;
  faults: string[];
}

/** Every check is a function of the folder it looks at, so that tests can plant faults in a folder of their own. */
export type Check = (root: string) => Promise<Outcome>;
