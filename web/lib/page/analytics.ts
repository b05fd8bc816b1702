/**
 * Reports user actions as events. Off by default: nothing listens, nothing is sent, nothing is stored. An operator who
 * wants to count them adds a script that listens on `window` for `inkproof:analytics`, whose `detail` is `{ name, at
 * }`. Contains no identity and nothing a person wrote.
 */

/** The events of the specification, section 7. */
export type AnalyticsEvent = 'cta_start_converting' | 'cta_try_it_for_free' | 'student_discount_click';

const analyticsEventType = 'inkproof:analytics';

/** Reports an event. Never throws or waits. */
export function track(name: AnalyticsEvent): void {
  window.dispatchEvent(new CustomEvent(analyticsEventType, { detail: { name, at: location.pathname } }));
}
