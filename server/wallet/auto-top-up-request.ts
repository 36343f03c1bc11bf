/** The queue's name for the work that a spend below the threshold asks for. */
export const AUTO_TOP_UP = 'wallet.auto-top-up';
