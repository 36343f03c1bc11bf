/** How long this many messages may take. */
export const expectSeconds = (messages: number, pace: number): number => Math.ceil(messages / pace);
