/** Why the agent can't begin, in one sentence for the person who started it. */
export class SettingsFault extends Error {}
