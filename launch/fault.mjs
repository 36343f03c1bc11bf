/** Why a command can't run, in one sentence for the person who gave it. */
export class Fault extends Error {}
