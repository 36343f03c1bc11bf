/** Rules about lanes that both sides need. This file must not import anything. */

export const ROUTE_POLICIES = ['cheapest', 'spread'] as const;

/**
 * Whether the operator has to look after it: it is to send, and is down. A phone's ways out are down with their phone,
 * and devices are their owners' business.
 */
export const isLaneDown = ({
  mode,
  up,
  source,
}: {
  mode: 'on' | 'paused' | 'draining' | 'removed';
  up: boolean | null;
  source: 'settings' | 'admin' | 'device' | 'phone';
}): boolean =>
  (mode === 'on' || mode === 'draining') && up === false && source !== 'phone' && source !== 'device';
