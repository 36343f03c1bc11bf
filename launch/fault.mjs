/** Why a command can't run, in one sentence for the person who started it. */
export class Fault extends Error {}
